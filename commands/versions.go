package commands

// VersionServed reads an engine's version such as "4.6.3.stable.official": it is served from 4.5 on, below 5.
func VersionServed(version string) bool { return versionServed(version) }

package commands

// DefaultMaxChars is how many characters a result may have on MCP when the client does not say.
const DefaultMaxChars = 25000

package main

//go:generate sh -c "go run . completion bash > ../../completions/godot-mcp.bash"
//go:generate sh -c "go run . completion zsh > ../../completions/_godot-mcp"
//go:generate sh -c "go run . completion fish > ../../completions/godot-mcp.fish"
//go:generate sh -c "go run . completion powershell > ../../completions/godot-mcp.ps1"

package commands

//go:generate go run ./generate ..

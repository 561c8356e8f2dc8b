package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(cleaned{m}, map[string]func(){
		"godot-mcp": main,
		// godot-real is the same program where a script stands under its name.
		"godot-real": main,
		// bystander lives until its input ends; its process id stands for an editor's.
		"bystander": func() { _, _ = io.Copy(io.Discard, os.Stdin) },
	})
}

// cleaned runs the tests and takes away what they share.
type cleaned struct{ *testing.M }

func (c cleaned) Run() int {
	defer removeBinary()
	// make test names the engine for the tests that need one; here it would be a setting of the user's.
	_ = os.Unsetenv("GODOT_BIN")
	return c.M.Run()
}

// TestScript runs testdata/script/*.txtar, one behaviour each. Beside testscript's own commands:
//
//	fake-editor [-dir DIR] [-name NAME] [-pid self|other|dead] FILE
//	    starts a fake editor with the answers in FILE (bridgetest.ServeScript) for the project in DIR, by
//	    default the working directory; sets $<NAME>_pid. A call that FILE does not name fails the script.
//	[!] calls [NAME]
//	    prints what reached the editor, a line each: command, parameters, raw=.., key=..
//	exits CODE COMMAND...
//	    runs the command, which must end with this status
//	fails CODE ERROR REQUIRED COMMAND...
//	    the same for a call that must answer with an error envelope and nothing else; - is no required
//	[!] guests
//	    takes all places of the fake editor; ! gives them back after one more client was refused
//	emit EVENT [FIELDS]
//	    waits for a client of the fake editor and sends it the event, if it asked for that
//	without FILE LINE COPY
//	    writes a copy of the file that lacks one line
//	json-lines FILE
//	    every line of the file must be one JSON value
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: isolate,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fake-editor": cmdFakeEditor,
			"calls":       cmdCalls,
			"emit":        cmdEmit,
			"exits":       cmdExits,
			"fails":       cmdFails,
			"guests":      cmdGuests,
			"json-lines":  cmdJSONLines,
			"without":     cmdWithout,
		},
		RequireUniqueNames: true,
	})
}

// isolate keeps a script away from the user's own editors and settings.
func isolate(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	for name, dir := range map[string]string{
		"HOME": home, "XDG_RUNTIME_DIR": home + "/run", "XDG_CACHE_HOME": home + "/cache",
		"XDG_CONFIG_HOME": home + "/config", "AppData": home + "/config", "LocalAppData": home + "/cache",
	} {
		env.Setenv(name, filepath.FromSlash(dir))
	}
	for _, name := range append([]string{"GODOT_BIN", "GODOT_MCP_GODOT_BIN", "NO_COLOR", "FORCE_COLOR"}, refusedEnv...) {
		env.Setenv(name, "")
	}
	// CONFIG is where the user's file stands on this system.
	config := home + "/config/godot-mcp"
	if runtime.GOOS == "darwin" {
		config = home + "/Library/Application Support/godot-mcp"
	}
	env.Setenv("CONFIG", filepath.FromSlash(config))
	env.Values[testKey{}] = env.T()
	env.Values[editorsKey{}] = map[string]*fakeEditor{}
	return os.MkdirAll(filepath.FromSlash(config), 0o700)
}

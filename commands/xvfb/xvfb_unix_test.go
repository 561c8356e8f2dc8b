//go:build unix

package xvfb

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	Worker()
	os.Exit(m.Run())
}

// A server that says it has display 7, notes its arguments and how it ends. It lives until it is told to go.
const goodServer = `#!/bin/sh
echo "$@" > "$NOTES/arguments"
trap 'echo ended > "$NOTES/ended"; exit 0' TERM
echo 7 >&3
exec 3>&-
while :; do sleep 0.05; done
`

func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// command runs a line of the shell on a display of the server.
func command(t *testing.T, server, line string) (cmd *exec.Cmd, notes string) {
	t.Helper()
	notes = t.TempDir()
	cmd, err := Command(server, notes, []string{"sh", "-c", line})
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "NOTES="+notes, "DISPLAY=:99", "WAYLAND_DISPLAY=wayland-0", "XAUTHORITY=/nowhere")
	return cmd, notes
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func TestTheProgramRunsOnTheDisplayAndTakesItAlong(t *testing.T) {
	cmd, notes := command(t, script(t, goodServer), `echo "$DISPLAY $WAYLAND_DISPLAY." ; cp "$XAUTHORITY" "$NOTES/secret"; stat -c %a "$XAUTHORITY" 2>/dev/null || stat -f %Lp "$XAUTHORITY"; exit 3`)
	out, err := cmd.Output()
	if exitCode(err) != 3 || string(out) != ":7 .\n600\n" {
		t.Errorf("%q, %v", out, err)
	}
	arguments, _ := os.ReadFile(filepath.Join(notes, "arguments"))
	for _, want := range []string{"-displayfd 3", "-terminate", "-nolisten tcp", "-screen 0 " + Screen, "-auth " + notes} {
		if !strings.Contains(string(arguments), want) {
			t.Errorf("the server was started with %s, without %s", arguments, want)
		}
	}
	if _, err := os.Stat(filepath.Join(notes, "ended")); err != nil {
		t.Errorf("the server was not told to go: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(notes, "*"+authEnd)); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	secret, _ := os.ReadFile(filepath.Join(notes, "secret"))
	if want := "\xff\xff\x00\x00\x00\x00\x00\x12MIT-MAGIC-COOKIE-1\x00\x10"; len(secret) != len(want)+16 || !bytes.HasPrefix(secret, []byte(want)) {
		t.Errorf("the secret is %q", secret)
	}
}

func TestAKilledProgramTakesTheDisplayAlong(t *testing.T) {
	cmd, notes := command(t, script(t, goodServer), `kill -9 $$`)
	if err := cmd.Run(); exitCode(err) != 128+9 {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(notes, "ended")); err != nil {
		t.Errorf("the server was not told to go: %v", err)
	}
}

func TestASignalReachesTheProgram(t *testing.T) {
	cmd, _ := command(t, script(t, goodServer), `trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done`)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); exitCode(err) != 5 {
		t.Error(err)
	}
}

func TestWithoutADisplayNothingRuns(t *testing.T) {
	for name, server := range map[string]string{
		"fails":         "#!/bin/sh\necho 'no keyboard map' >&2\nexit 1\n",
		"says nonsense": "#!/bin/sh\necho hello >&3\nexec sleep 60\n",
		"is no program": "",
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			cmd, notes := command(t, script(t, server), `echo > "$NOTES/ran"`)
			out, err := cmd.CombinedOutput()
			if exitCode(err) != ExitNoDisplay || !strings.Contains(string(out), "no virtual display") {
				t.Errorf("%q, %v", out, err)
			}
			if _, err := os.Stat(filepath.Join(notes, "ran")); err == nil {
				t.Error("the program ran all the same")
			}
		})
	}
}

func TestSecretsOfTheDeadAreForgotten(t *testing.T) {
	cmd, notes := command(t, script(t, goodServer), `true`)
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(notes, strconv.Itoa(dead.Process.Pid)+authEnd)
	alive := filepath.Join(notes, strconv.Itoa(os.Getpid())+authEnd)
	for _, path := range []string{gone, alive} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(gone); err == nil {
		t.Errorf("%s is still there", gone)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Error(err)
	}
}

func TestFindWantsIt(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if path, err := Find(); err == nil {
		t.Errorf("found %s", path)
	}
	server := filepath.Join(dir, "Xvfb")
	if err := os.WriteFile(server, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := Find(); path != server && !errors.Is(err, ErrSystem) {
		t.Errorf("%s, %v", path, err)
	}
}

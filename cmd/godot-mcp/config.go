package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// projectConfig is the settings file beside project.godot. It is a stranger's until trusted.
const projectConfig = "godot-mcp.toml"

// Who may set a key from a project's file that is not trusted.
type trust int

const (
	anyone trust = iota
	// tightens may only make the policy stricter.
	tightens
	// userOnly needs the user's own file or godot-mcp trust.
	userOnly
)

// option is one setting, with the places that it can come from.
type option struct {
	key, flag, env, fallback, doc string
	trust                         trust
	check                         func(string) error
}

func options() []option {
	return []option{
		{"contract", "contract", "GODOT_MCP_CONTRACT", "0", "contract number of the caller, 0 for this build's", anyone, isCount},
		{"timeout", "timeout", "GODOT_MCP_TIMEOUT", "30s", "longest wait for an answer", anyone, isTimeout},
		{"toolsets", "toolsets", "GODOT_MCP_DEFAULT_TOOLSETS", "starter", "toolsets that MCP clients see: starter, all or a list", anyone, anything},
		{"read_only", "read-only", "GODOT_MCP_READ_ONLY", "false", "refuse everything that could change something", tightens, isBool},
		{"deny", "", "", "", "safety classes that are refused", tightens, isClassList},
		{"project", "project", "GODOT_MCP_PROJECT_DIR", "", "project folder", userOnly, anything},
		{"godot_bin", "", "GODOT_MCP_GODOT_BIN,GODOT_BIN", "", "the engine's program", userOnly, anything},
		{"log_level", "", "GODOT_MCP_LOG_LEVEL", "off", "off, debug, info, warning or error, on standard error", anyone, isLogLevel},
	}
}

// refusedEnv are variables of older servers that would point at an editor by hand.
var refusedEnv = []string{"GODOT_MCP_BRIDGE_URL", "GODOT_MCP_BRIDGE_TOKEN", "GODOT_MCP_AUTO_REFRESH"}

// setting is one resolved value.
type setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"`
	// Ignored names a place whose value was not taken, and why.
	Ignored string `json:"ignored,omitempty"`
	Doc     string `json:"doc"`
}

// settings are the values that a process works with. Policy among them is read once, at start.
type settings struct {
	contract  int
	timeout   time.Duration
	toolsets  []string
	readOnly  bool
	deny      []commands.Class
	project   string
	godotBin  string
	logLevel  string
	editorPID int
	all       []setting
}

// sources are the files' contents, read once.
type sources struct {
	flags                     *pflag.FlagSet
	user, project             *viper.Viper
	userPath, projectPath     string
	projectTrusted            bool
	projectDir, userConfigDir string
}

// settings resolves every option: flag, environment, project file, user file, default, in this order.
func (a *app) settings(fs *pflag.FlagSet) (settings, error) {
	src, err := a.sources(fs)
	if err != nil {
		return settings{}, err
	}
	s := settings{editorPID: a.flags.editor}
	values := map[string]string{}
	for _, o := range options() {
		one, err := src.resolve(o)
		if err != nil {
			return s, err
		}
		if one.Ignored != "" && one.Source != "flag" {
			fmt.Fprintf(a.err, "godot-mcp: %s\n", one.Ignored)
		}
		values[o.key] = one.Value
		s.all = append(s.all, one)
	}
	s.contract, _ = strconv.Atoi(values["contract"])
	s.timeout, _ = parseTimeout(values["timeout"])
	s.toolsets = splitList(values["toolsets"])
	s.readOnly, _ = strconv.ParseBool(values["read_only"])
	for _, c := range splitList(values["deny"]) {
		s.deny = append(s.deny, commands.Class(c))
	}
	s.project, s.godotBin, s.logLevel = values["project"], values["godot_bin"], values["log_level"]
	return s, nil
}

// explicitTimeout is the time-out that was given with this very call, else 0: a tool that waits longer by
// its own parameters is cut short only then.
func (s settings) explicitTimeout() time.Duration {
	for _, one := range s.all {
		if one.Key == "timeout" && one.Source == "flag" {
			return s.timeout
		}
	}
	return 0
}

func (a *app) sources(fs *pflag.FlagSet) (*sources, error) {
	for _, name := range refusedEnv {
		if os.Getenv(name) != "" {
			return nil, usageError(name, "%s is not used: editors are found by themselves, or named with --project or --editor; unset it", name)
		}
	}
	src := &sources{flags: fs}
	src.userConfigDir = userConfigDir()
	var err error
	src.userPath = filepath.Join(src.userConfigDir, "config.toml")
	if src.user, err = readConfig(src.userPath); err != nil {
		return nil, err
	}
	// The project must be known before its file can be: from flag, environment or the user's file.
	named := a.flags.project
	if named == "" {
		named = os.Getenv("GODOT_MCP_PROJECT_DIR")
	}
	if dir, err := bridge.FindProject(named); err == nil {
		src.projectDir = dir
		src.projectPath = filepath.Join(dir, projectConfig)
		if src.project, err = readConfig(src.projectPath); err != nil {
			return nil, err
		}
		src.projectTrusted = src.project != nil && isTrusted(src.userConfigDir, src.projectPath)
	}
	return src, nil
}

func userConfigDir() string {
	base, err := os.UserConfigDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "godot-mcp-no-config")
	}
	return filepath.Join(base, "godot-mcp")
}

// readConfig returns nil for a file that is not there.
func readConfig(path string) (*viper.Viper, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usageError("config", "%v", err)
	}
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(bytes.NewReader(text)); err != nil {
		return nil, usageError("config", "%s: %v", path, err)
	}
	known := options()
	for _, key := range v.AllKeys() {
		if !slices.ContainsFunc(known, func(o option) bool { return o.key == key }) {
			return nil, usageError(key, "%s: there is no setting %s: godot-mcp config list", path, key)
		}
	}
	return v, nil
}

func (src *sources) resolve(o option) (setting, error) {
	one := setting{Key: o.key, Value: o.fallback, Source: "default", Doc: o.doc}
	take := func(value, source string) error {
		if err := o.check(value); err != nil {
			return usageError(o.key, "%s from %s: %v", o.key, source, err)
		}
		one.Value, one.Source = value, source
		return nil
	}
	if value, ok := fromFile(src.user, o.key); ok {
		if err := take(value, "user file "+src.userPath); err != nil {
			return one, err
		}
	}
	if err := src.fromProject(o, &one, take); err != nil {
		return one, err
	}
	for _, name := range strings.Split(o.env, ",") {
		// An empty variable is one that is not set.
		if value := os.Getenv(name); name != "" && value != "" {
			if err := take(value, "environment "+name); err != nil {
				return one, err
			}
			break
		}
	}
	if flag := src.flags.Lookup(o.flag); o.flag != "" && flag != nil && flag.Changed {
		return one, take(flag.Value.String(), "flag")
	}
	return one, nil
}

func (src *sources) fromProject(o option, one *setting, take func(value, source string) error) error {
	value, ok := fromFile(src.project, o.key)
	if !ok {
		return nil
	}
	source := "project file " + src.projectPath
	switch {
	case src.projectTrusted || o.trust == anyone:
		return take(value, source)
	case o.trust == userOnly:
		one.Ignored = fmt.Sprintf("%s in %s is ignored: it needs the user's own file, or godot-mcp trust", o.key, src.projectPath)
		return nil
	case o.key == "deny" && one.Value != "":
		return take(one.Value+","+value, source)
	case value == "false":
		one.Ignored = fmt.Sprintf("%s in %s is ignored: a project's file can only tighten the policy, or godot-mcp trust", o.key, src.projectPath)
		return nil
	}
	return take(value, source)
}

func fromFile(v *viper.Viper, key string) (string, bool) {
	if v == nil || !v.IsSet(key) {
		return "", false
	}
	if list, ok := v.Get(key).([]any); ok {
		texts := make([]string, len(list))
		for i, e := range list {
			texts[i] = fmt.Sprint(e)
		}
		return strings.Join(texts, ","), true
	}
	return v.GetString(key), true
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// parseTimeout takes seconds or a Go duration; it must be above zero.
func parseTimeout(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if seconds, numErr := strconv.ParseFloat(text, 64); numErr == nil {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no time above zero: give seconds, or 500ms, 2s, 1m", text)
	}
	return d, nil
}

func anything(string) error { return nil }

func isTimeout(text string) error {
	_, err := parseTimeout(text)
	return err
}

func isCount(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n < 0 {
		return fmt.Errorf("%q is no whole number", text)
	}
	return nil
}

func isBool(text string) error {
	if _, err := strconv.ParseBool(text); err != nil {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	return nil
}

func isClassList(text string) error {
	known := []string{string(commands.ReadOnly), string(commands.Mutating), string(commands.Destructive), string(commands.Runtime)}
	for _, c := range splitList(text) {
		if !slices.Contains(known, c) {
			return fmt.Errorf("%q is no safety class: %s", c, strings.Join(known, ", "))
		}
	}
	return nil
}

func isLogLevel(text string) error {
	if !slices.Contains([]string{"off", "debug", "info", "warning", "error"}, text) {
		return fmt.Errorf("%q is no level: off, debug, info, warning, error", text)
	}
	return nil
}

func (a *app) configListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List each setting, its value and where it came from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.settings(cmd.Flags())
			if err != nil {
				return err
			}
			return a.printJSON(cmd, map[string]any{"settings": s.all})
		},
	}
}

// trusted maps a project file's path to the SHA-256 of the text that was trusted: a changed file is a
// stranger's again.
func trustedFile(configDir string) string { return filepath.Join(configDir, "trusted.json") }

func readTrusted(configDir string) map[string]string {
	trusted := map[string]string{}
	if text, err := os.ReadFile(trustedFile(configDir)); err == nil {
		_ = json.Unmarshal(text, &trusted)
	}
	return trusted
}

func isTrusted(configDir, path string) bool {
	sum, err := fileSum(path)
	return err == nil && readTrusted(configDir)[realPath(path)] == sum
}

func fileSum(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func (a *app) trustCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "trust",
		Short: "Trust this project's godot-mcp.toml as it is now",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			src, err := a.sources(cmd.Flags())
			if err != nil {
				return err
			}
			if src.project == nil {
				return bridge.Errorf(bridge.ResourceNotFound, "project_dir", "there is no %s to trust here: godot-mcp config list", projectConfig)
			}
			sum, err := fileSum(src.projectPath)
			if err != nil {
				return err
			}
			trusted := readTrusted(src.userConfigDir)
			trusted[realPath(src.projectPath)] = sum
			if err := writeTrusted(src.userConfigDir, trusted); err != nil {
				return err
			}
			return a.printJSON(cmd, map[string]any{"trusted": true, "file": src.projectPath, "sha256": sum})
		},
	}
}

func writeTrusted(configDir string, trusted map[string]string) error {
	if err := os.MkdirAll(configDir, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(trusted, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(trustedFile(configDir), append(text, '\n'), 0o600)
}

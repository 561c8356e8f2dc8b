package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
)

// projectConfig is the settings file beside project.godot. It is a stranger's until trusted.
const projectConfig = "godot-mcp.toml"

// Who may set a key from a project's file that is not trusted.
type trust int

const (
	anyone trust = iota
	// tightens may only make the policy stricter.
	tightens
	// adds is a list of a policy, where each place adds to the others.
	adds
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
		{"allow", "allow", "GODOT_MCP_ALLOW", "", "nothing but these: classes, executes_code, toolsets, tools", adds, anything},
		{"deny", "deny", "GODOT_MCP_DENY", "", "never these: classes, executes_code, toolsets, tools", adds, anything},
		{"approval", "approval", "GODOT_MCP_APPROVAL", "", "who is asked about calls that destroy: none, ask for the person at the client or terminal, webhook", tightens, isApproval},
		{"approval_webhook", "", "GODOT_MCP_APPROVAL_WEBHOOK", "", "address that is asked by POST; approval is webhook where it is set", userOnly, isWebhook},
		{"approval_timeout", "", "GODOT_MCP_APPROVAL_TIMEOUT", "30s", "after this long the answer is no", userOnly, isTimeout},
		{"approval_fail_open", "", "GODOT_MCP_APPROVAL_FAIL_OPEN", "false", "carry out what the webhook gave no answer about", userOnly, isBool},
		{"audit_log", "audit-log", "GODOT_MCP_AUDIT_LOG", "", "file in which each call is noted, a JSON line with hashes in place of contents", userOnly, anything},
		{"project", "project", "GODOT_MCP_PROJECT_DIR", "", "project folder", userOnly, anything},
		{"godot_bin", "", "GODOT_MCP_GODOT_BIN,GODOT_BIN", "", "the engine's program", userOnly, anything},
		{"autostart", "autostart", "", "false", "start a headless editor at the first call that finds none", userOnly, isBool},
		{"idle_stop", "", "GODOT_MCP_IDLE_STOP", "10m", "how long an editor that autostart began may be without a command before it ends", userOnly, isTimeout},
		{"transport", "transport", "GODOT_MCP_TRANSPORT", "stdio", "how mcp is served: stdio or http", userOnly, isTransport},
		{"http_host", "http-host", "GODOT_MCP_HTTP_HOST", "127.0.0.1", "address that mcp listens on over HTTP", userOnly, anything},
		{"http_port", "http-port", "GODOT_MCP_HTTP_PORT", "9090", "port of mcp over HTTP, 0 for any that is free", userOnly, isPort},
		{authTokenKey, "", "GODOT_MCP_AUTH_TOKEN", "", "token that clients of mcp show over HTTP, a new one per start when empty", userOnly, isToken},
		{"allow_path", "allow-path", "GODOT_MCP_ALLOW_PATH", "", "folders that MCP clients may have files written to, separated as in PATH", userOnly, anything},
		{"artifacts_max_mb", "", "GODOT_MCP_ARTIFACTS_MAX_MB", "256", "MiB that kept pictures, recordings and logs may have together", userOnly, isSize},
		{"artifacts_max_age", "", "GODOT_MCP_ARTIFACTS_MAX_AGE", "168h", "after this long a kept one goes", userOnly, isTimeout},
		{"log_level", "", "GODOT_MCP_LOG_LEVEL", "off", "off, debug, info, warning or error, on standard error", anyone, isLogLevel},
	}
}

// The setting that is a secret, and what is shown for it.
const authTokenKey, hiddenValue = "auth_token", "(set, not shown)"

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

	// parts are the lists of a setting to which each place adds.
	parts []part
}

// part is what one place says.
type part struct{ value, source string }

// settings are the values that a process works with. Policy among them is read once, at start.
type settings struct {
	contract  int
	timeout   time.Duration
	toolsets  []string
	readOnly  bool
	policy    commands.Policy
	approve   commands.Approver
	auditLog  string
	project   string
	godotBin  string
	logLevel  string
	transport string
	httpHost  string
	httpPort  int
	authToken string
	autostart bool
	idleStop  time.Duration
	editorPID int
	maxChars  int
	// allowPaths are folders that MCP clients may have files written to.
	allowPaths []string
	artifacts  artifact.Store
	all        []setting
	// src is where they were read, at the start.
	src *sources
}

// sources are the files' contents, read once.
type sources struct {
	flags          *pflag.FlagSet
	user, project  *configFile
	projectTrusted bool
	userConfigDir  string
}

// configFile is a settings file that is there.
type configFile struct {
	path   string
	sum    string
	values *viper.Viper
}

// settings resolves every option: flag, environment, project file, user file, default, in this order.
func (a *app) settings(fs *pflag.FlagSet) (settings, error) {
	src, err := a.sources(fs)
	if err != nil {
		return settings{}, err
	}
	return a.resolved(src)
}

// settingsOf are the settings for another project: its own file takes the place of the first one's, and
// everything else is as it was read at the start.
func (a *app) settingsOf(s settings, project string) (settings, error) {
	src := *s.src
	if err := src.readProject(project); err != nil {
		return settings{}, err
	}
	other, err := a.resolved(&src)
	other.project, other.editorPID, other.transport = project, 0, s.transport
	return other, err
}

func (a *app) resolved(src *sources) (settings, error) {
	s := settings{editorPID: a.flags.editor, maxChars: a.flags.maxChars, src: src}
	values := map[string]string{}
	lists := map[string][]part{}
	var err error
	for _, o := range options() {
		one, err := src.resolve(o)
		if err != nil {
			return s, err
		}
		if one.Ignored != "" {
			a.tell(one.Ignored)
		}
		values[o.key], lists[o.key] = one.Value, one.parts
		switch {
		case o.key == "approval_webhook":
			one.Value = withoutSecrets(one.Value)
		case o.key == authTokenKey && one.Value != "":
			one.Value = hiddenValue
		}
		s.all = append(s.all, one)
	}
	s.contract, _ = strconv.Atoi(values["contract"])
	s.timeout, _ = parseTimeout(values["timeout"])
	s.toolsets = splitList(values["toolsets"])
	s.readOnly, _ = strconv.ParseBool(values["read_only"])
	s.autostart, _ = strconv.ParseBool(values["autostart"])
	s.idleStop, _ = parseTimeout(values["idle_stop"])
	s.project, s.godotBin, s.logLevel = values["project"], values["godot_bin"], values["log_level"]
	s.transport, s.httpHost, s.authToken = values["transport"], values["http_host"], values[authTokenKey]
	s.httpPort, _ = strconv.Atoi(values["http_port"])
	s.auditLog = values["audit_log"]
	s.allowPaths = filepath.SplitList(values["allow_path"])
	s.artifacts = artifactStore(values)
	s.policy, err = a.policy(lists["allow"], lists["deny"])
	if err != nil {
		return s, err
	}
	s.policy.ReadOnly, s.policy.ReadOnlySource = s.readOnly, s.sourceOf("read_only")
	s.approve, err = approver(values)
	return s, err
}

// sourceOf says where a setting's value came from.
func (s settings) sourceOf(key string) string {
	for _, one := range s.all {
		if one.Key == key {
			return one.Source
		}
	}
	return ""
}

// explicitTimeout is the time-out that was given with this very call, else 0: a tool that waits longer by
// its own parameters is cut short only then.
func (s settings) explicitTimeout() time.Duration {
	if s.sourceOf("timeout") == "flag" {
		return s.timeout
	}
	return 0
}

func (a *app) sources(fs *pflag.FlagSet) (*sources, error) {
	for _, name := range refusedEnv {
		if os.Getenv(name) != "" {
			return nil, usageError(name, "%s is not used: editors are found by themselves, or named with --project or --editor; unset it, then godot-mcp editor list", name)
		}
	}
	src := &sources{flags: fs, userConfigDir: userConfigDir()}
	var err error
	if src.user, err = readConfig(filepath.Join(src.userConfigDir, "config.toml")); err != nil {
		return nil, err
	}
	dir, err := bridge.FindProject(a.namedProject(src.user))
	if err != nil {
		return src, nil // no project, no project's file
	}
	if err := src.readProject(dir); err != nil {
		return nil, err
	}
	return src, nil
}

// readProject reads the file of the project in dir, if there is one.
func (src *sources) readProject(dir string) (err error) {
	if src.project, err = readConfig(filepath.Join(dir, projectConfig)); err != nil {
		return err
	}
	src.projectTrusted = src.project != nil && isTrusted(src.userConfigDir, src.project)
	return nil
}

// namedProject is the project by flag, environment or the user's file: it must be known before its own
// file can be read.
func (a *app) namedProject(user *configFile) string {
	if a.flags.project != "" {
		return a.flags.project
	}
	if named := os.Getenv("GODOT_MCP_PROJECT_DIR"); named != "" {
		return named
	}
	named, _ := user.value("project")
	return named
}

func userConfigDir() string {
	base, err := os.UserConfigDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "godot-mcp-no-config")
	}
	return filepath.Join(base, "godot-mcp")
}

// readConfig returns nil for a file that is not there.
func readConfig(path string) (*configFile, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usageError("config", "the settings cannot be read: %v; mend that, then godot-mcp config list", err)
	}
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))); err != nil {
		return nil, usageError("config", "%s is not TOML: %v; mend it, then godot-mcp config list", path, err)
	}
	for _, key := range v.AllKeys() {
		if err := knownKey(path, key); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(text)
	return &configFile{path: path, sum: hex.EncodeToString(sum[:]), values: v}, nil
}

// knownKey refuses a setting that would be passed over in silence.
func knownKey(path, key string) error {
	best, at := "", 3
	names := []string{}
	for _, o := range options() {
		if o.key == key {
			return nil
		}
		names = append(names, o.key)
		if d := commands.Distance(key, o.key); d < at {
			best, at = o.key, d
		}
	}
	if best != "" {
		return usageError(key, "%s: there is no setting %s, did you mean %s? Mend it, then godot-mcp config list", path, key, best)
	}
	return usageError(key, "%s: there is no setting %s, only %s; take it out, then godot-mcp config list", path, key, strings.Join(names, ", "))
}

func (src *sources) resolve(o option) (setting, error) {
	if o.trust == adds {
		return src.gather(o)
	}
	one := setting{Key: o.key, Value: o.fallback, Source: "default", Doc: o.doc}
	take := func(value, source string) error {
		if err := o.check(value); err != nil {
			return usageError(o.key, "%s from %s: %v; mend it, then godot-mcp config list", o.key, source, err)
		}
		one.Value, one.Source = value, source
		return nil
	}
	if value, ok := src.user.value(o.key); ok {
		if err := take(value, "user file "+src.user.path); err != nil {
			return one, err
		}
	}
	if err := src.fromProject(o, &one, take); err != nil {
		return one, err
	}
	for _, name := range strings.Split(o.env, ",") {
		// An empty variable is one that is not set.
		if value := os.Getenv(name); name != "" && value != "" {
			one.Ignored = ""
			if err := take(value, "environment "+name); err != nil {
				return one, err
			}
			break
		}
	}
	if flag := src.flags.Lookup(o.flag); o.flag != "" && flag != nil && flag.Changed {
		one.Ignored = ""
		return one, take(flag.Value.String(), "flag")
	}
	return one, nil
}

func (src *sources) fromProject(o option, one *setting, take func(value, source string) error) error {
	value, ok := src.project.value(o.key)
	if !ok {
		return nil
	}
	source := "project file " + src.project.path
	if src.projectTrusted || o.trust == anyone {
		return take(value, source)
	}
	if o.trust == userOnly {
		one.Ignored = fmt.Sprintf("%s in %s is ignored: it needs the user's own file, or godot-mcp trust", o.key, src.project.path)
		return nil
	}
	before := *one
	if err := take(value, source); err != nil {
		return err
	}
	if !isTighter(o.key, value, before.Value) {
		*one = before
		one.Ignored = fmt.Sprintf("%s in %s is ignored: a project's file can only tighten the policy, or godot-mcp trust", o.key, src.project.path)
	}
	return nil
}

// value is a setting's text; lists become a,b.
func (c *configFile) value(key string) (string, bool) {
	if c == nil || !c.values.IsSet(key) {
		return "", false
	}
	if list, ok := c.values.Get(key).([]any); ok {
		texts := make([]string, len(list))
		for i, e := range list {
			texts[i] = fmt.Sprint(e)
		}
		return strings.Join(texts, ","), true
	}
	return c.values.GetString(key), true
}

func (a *app) configListCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List each setting, its value and where it came from",
		Example: `  godot-mcp config list --jq '.settings[] | select(.source != "default")'`,
		Args:    noPositionals,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.settings(cmd.Flags())
			if err != nil {
				return err
			}
			return a.printJSON(cmd, map[string]any{"settings": s.all})
		},
	}
}

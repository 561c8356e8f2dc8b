package testbed

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// oddEditor is the editor on the sample odd, whose files have the structures of real projects that readers
// trip over. Tests change copies of them.
func oddEditor(t *testing.T) *Editor {
	t.Helper()
	return odd.start(t, func(t *testing.T, to string) string {
		if err := copyTree(to, filepath.Join(Root(), "testbed", "projects", "odd")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, "dice", "die.glb"), glb(t), 0o644); err != nil {
			t.Fatal(err)
		}
		addUser(t, to)
		return to
	})
}

// glb is a model of one node without a mesh.
func glb(t *testing.T) []byte {
	t.Helper()
	text := `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Cube"}]}`
	text += strings.Repeat(" ", -len(text)&3)
	var out bytes.Buffer
	for _, part := range []any{[]byte("glTF"), uint32(2), uint32(12 + 8 + len(text)), uint32(len(text)), []byte("JSON"), []byte(text)} {
		if err := binary.Write(&out, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// oddText is a sample's own text.
func oddText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(), "testbed", "projects", "odd", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var headerUID = regexp.MustCompile(`(\A\[gd_(?:scene|resource)[^\]\n]*) uid="[^"]*"`)

// oddCopy writes a sample's text under a name of the test's own, without the uid that the sample has.
func oddCopy(t *testing.T, e *Editor, text string) string {
	t.Helper()
	return write(t, e, "tries/"+strings.ReplaceAll(t.Name(), "/", "_")+".tscn", headerUID.ReplaceAllString(text, "$1"))
}

// openCopy opens a copy and saves it unchanged, so that what the engine itself rewrites is written.
func openCopy(t *testing.T, e *Editor, text string) string {
	t.Helper()
	scene := open(t, e, oddCopy(t, e, text))
	cli(e).call(t, "scene save", nil).ok(t)
	return scene
}

// saved carries out a change with its preview, saves, and returns the lines that the file changed by.
func saved(t *testing.T, e *Editor, s surface, scene, tool string, a args) (answer, string) {
	t.Helper()
	before := read(t, e, scene)
	real := previewed(t, e, s, tool, a.with("scene_path", scene)).has(t, map[string]string{"persisted": "true"})
	s.call(t, "scene save", args{"scene_path": scene}).ok(t)
	return real, lineDiff(before, read(t, e, scene))
}

// changes checks that a change leaves just these lines different in the saved file.
func changes(t *testing.T, e *Editor, s surface, scene, tool string, a args, want string) answer {
	t.Helper()
	real, diff := saved(t, e, s, scene, tool, a)
	if diff != want {
		t.Errorf("%s %s changed the file by\n%swant\n%s", tool, asJSON(a), diff, want)
	}
	return real
}

// structure is what a report's file has; count 0 is at least once, -1 is nowhere.
type structure struct {
	report, what, file, pattern string
	count                       int
}

func structures() []structure {
	return []structure{
		{"F34", "a root with a name that is not ASCII", "场景/主场景.tscn", `(?m)^\[node name="\p{Han}+" type="\w+"\]$`, 1},
		{"F34", "most nodes so", "场景/主场景.tscn", `\[node name="\p{Han}+"`, 7},
		{"F34", "parent paths so", "场景/主场景.tscn", `parent="\p{Han}+"`, 4},
		{"F34", "a connection between such paths", "场景/主场景.tscn", `\[connection [^\]]*from="\p{Han}+" to="\p{Han}+/\p{Han}+"`, 1},
		{"F34", "references without uid, with ids made by hand", "场景/主场景.tscn", `\[ext_resource type="\w+" path="[^"]+" id="[a-z_]+"\]`, 2},
		{"F34", "no uid at all", "场景/主场景.tscn", `uid`, -1},
		{"F34", "load_steps", "场景/主场景.tscn", `\A\[gd_scene load_steps=\d+ format=3\]`, 1},
		{"F34", "a project that says it is newer", "project.godot", `config/features=PackedStringArray\("4\.7"`, 1},
		{"F34", "a project name that is not ASCII", "project.godot", `config/name="\p{Han}+"`, 1},
		{"F34", "a sibling that names a texture with spaces in its path", "场景/怪物.tscn", `type="Texture2D" path="res://[^"]* [^"]* [^"]*"`, 1},

		{"F35", "a root without type, with groups and instance", "agent/agent.tscn", `(?m)^\[node name="\w+" unique_id=\d+ [^\]]*groups=\["\w+", "\w+"\] instance=ExtResource\("\w+"\)\]$`, 1},
		{"F35", "an override with parent_id_path, index and unique_id", "agent/agent.tscn", `\[node name="\w+" parent="\w+" parent_id_path=PackedInt32Array\(\d+\) index="\d" unique_id=\d+\]`, 1},
		{"F35", "exported nodes in node_paths", "agent/agent.tscn", `node_paths=PackedStringArray\("marks"\)`, 1},
		{"F35", "Array[StringName]", "agent/agent.tscn", `Array\[StringName\]\(\[&"\w+", &"\w+"\]\)`, 2},
		{"F35", "a type of an extension that is not there", "agent/agent.tscn", `type="OddBehaviorPlayer"`, 1},
		{"F35", "the same with an exported node", "agent/wired.tscn", `type="OddBehaviorPlayer" [^\]]*node_paths=`, 1},

		{"F36", "a C# script on the root", "sharp/game.tscn", `type="Script" path="res://sharp/Game\.cs"`, 1},
		{"F36", "eight instances", "sharp/game.tscn", `instance=ExtResource`, 8},
		{"F36", "eight unique names", "sharp/game.tscn", `unique_name_in_owner = true`, 8},
		{"F36", "one editable instance", "sharp/game.tscn", `\[editable path=`, 1},
		{"F36", "an override seven levels below it without type and id", "sharp/game.tscn", `\[node name="\w+" parent="Map(/\w+){6}" index="0"\]`, 1},
		{"F36", "an exported C# property on an instance", "sharp/game.tscn", `(?m)^CoinsToWin = 5$`, 1},

		{"F37", "format 4", "dice/dice_room.tscn", `\A\[gd_scene format=4\]`, 1},
		{"F37", "a script in the scene", "dice/dice_room.tscn", `(?m)^script/source = "extends`, 1},
		{"F37", "some 130 lines of it", "dice/dice_room.tscn", `(?s)script/source = "(?:[^\n]*\n){120,}.*\n"\n`, 1},
		{"F37", "quotes escaped twice", "dice/dice_room.tscn", `\\\\\\"`, 0},
		{"F37", "blank lines", "dice/dice_room.tscn", `\n\n\n`, 0},
		{"F37", "lines that look like sections", "dice/dice_room.tscn", `(?m)^\[connection `, 1},
		{"F37", "words that look like values", "dice/dice_room.tscn", `SubResource\(\\\\\\"1|Vector2\(\d`, 0},
		{"F37", "an imported model", "dice/dice_room.tscn", `path="res://dice/die\.glb"`, 1},
		{"F37", "unique names", "dice/dice_room.tscn", `unique_name_in_owner = true`, 2},
		{"F37", "bytes as base64", "dice/dice_room.tscn", `PackedByteArray\("[A-Za-z0-9+/]{64,}=*"\)`, 1},

		{"F38", "two instances of one scene", "options/options.tscn", `instance=ExtResource\("1_slot"\)`, 2},
		{"F38", "both editable", "options/options.tscn", `\[editable path=`, 2},
		{"F38", "overrides below both with one id", "options/options.tscn", `parent="(?:Left|Right)" index="0" unique_id=380002\]`, 2},
		{"F38", "new nodes below both", "options/options.tscn", `type="CheckBox" parent="(?:Left|Right)/Grid"`, 2},

		{"F39", "an editable instance", "machine/demo.tscn", `\[editable path="Player"\]`, 1},
		{"F39", "a property that ends in a slash", "machine/demo.tscn", `(?m)^libraries/ = `, 1},
		{"F39", "an overridden node path", "machine/demo.tscn", `(?m)^root_node = NodePath\("\.\./Pivot"\)`, 1},
		{"F39", "theme overrides with slashes", "machine/demo.tscn", `(?m)^theme_override_\w+/\w+ = `, 2},
		{"F39", "StringName keys with sub-resources", "machine/demo.tscn", `&"\w+": SubResource\(`, 2},
		{"F39", "a dictionary in an animation", "machine/demo.tscn", `tracks/0/keys = \{`, 1},

		{"F40", "a script class", "novel style/style.tres", `\A\[gd_resource type="Resource" script_class="OddStyle"`, 1},
		{"F40", "load_steps", "novel style/style.tres", `load_steps=14`, 1},
		{"F40", "nine scripted sub-resources", "novel style/style.tres", `\[sub_resource type="Resource" id="[^"]+"\]\nscript = ExtResource`, 9},
		{"F40", "an array typed by a script", "novel style/style.tres", `layers = Array\[ExtResource\("1_layer"\)\]\(\[`, 1},
		{"F40", "an empty key", "novel style/style.tres", `(?m)^"": SubResource`, 1},
		{"F40", "keys of digits", "novel style/style.tres", `(?m)^"\d+": SubResource`, 2},
		{"F40", "metadata", "novel style/style.tres", `(?m)^metadata/_\w+ = `, 10},
		{"F40", "a folder with a space", "novel style/style.tres", `path="res://novel style/`, 4},
	}
}

// TestSamplesHaveTheStructures holds the samples against what the reports F34 to F40 list.
func TestSamplesHaveTheStructures(t *testing.T) {
	for _, c := range structures() {
		n := len(regexp.MustCompile(c.pattern).FindAllString(oddText(t, c.file), -1))
		if c.count > 0 && n != c.count || c.count == 0 && n == 0 || c.count < 0 && n != 0 {
			t.Errorf("%s, %s: %s has it %d times, want %d", c.report, c.what, c.file, n, c.count)
		}
	}
}

// TestF34NamesThatAreNotASCII: paths in another script are read, written and found on both surfaces, and an
// edit changes one line of the file.
func TestF34NamesThatAreNotASCII(t *testing.T) {
	e := oddEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openCopy(t, e, oddText(t, "场景/主场景.tscn"))
		s.call(t, "scene tree", args{"root": "玩家"}).ok(t).has(t, map[string]string{
			"tree.name": "玩家", "tree.children.0.path": "玩家/图像", "tree.children.2.name": "Camera2D"})
		for _, path := range []string{"界面/分数", "%分数", "/界面/分数", "主场景/界面/分数"} {
			s.call(t, "node get-property", args{"node_path": path, "property": "text"}).ok(t).
				has(t, map[string]string{"node_path": "界面/分数", "value": "得分：零"})
		}
		s.call(t, "node get-property", args{"node_path": "玩家/图像", "property": "texture"}).ok(t).
			has(t, map[string]string{"value.$resource": "res://art files/round icon.svg"})
		s.call(t, "node find", args{"name": "怪*"}).ok(t).has(t, map[string]string{"nodes.0.path": "怪物一", "total": "1"})
		s.call(t, "node get", args{"node_path": "玩家/没有"}).fails(t, "RESOURCE_NOT_FOUND", "node_exists", "玩家 has", "图像")

		changes(t, e, s, scene, "node set-property", set("界面/分数", "text", "得分：十"), "- text = \"得分：零\"\n+ text = \"得分：十\"\n")
		changes(t, e, s, scene, "node set-property", set("玩家", "position", []int{1, 2}), "- position = Vector2(64, 32)\n+ position = Vector2(1, 2)\n")
		real, diff := saved(t, e, s, scene, "node add", args{"node_type": "Node2D", "node_name": "新节点", "parent_path": "玩家"})
		if real.text("node_path") != "玩家/新节点" || masked(diff) != "+ [node name=\"新节点\" type=\"Node2D\" parent=\"玩家\"]\n+ \n" {
			t.Errorf("node add gave %s and changed the file by\n%s", real.raw, diff)
		}
	})
	typed(t, e, "project", "info").ok(t).has(t, map[string]string{"name": "奇异样本"})
}

// TestF35InheritedSceneWithAnAbsentClass: all of it is read without the extension, one override is changed
// and nothing else moves; a save that would drop something is refused.
func TestF35InheritedSceneWithAnAbsentClass(t *testing.T) {
	e := oddEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		copied := oddCopy(t, e, oddText(t, "agent/agent.tscn"))
		before := read(t, e, copied)
		for _, dry := range []bool{true, false} {
			s.call(t, "scene open", args{"scene_path": copied, "dry_run": dry}).ok(t).has(t, map[string]string{
				"opened": "true", "warnings.0.code": "missing_class", "warnings.0.node_path": "Brain", "warnings.1": "null"})
		}
		scene := open(t, e, copied)
		s.call(t, "node get", args{"node_path": "Brain"}).ok(t).has(t, map[string]string{
			"type": "MissingNode", "properties.behavior_speed": "1.5", "properties.states": `["idle","run"]`})
		s.call(t, "node get", args{"node_path": ".", "include": []string{"tags", "marks", "eyes"}}).ok(t).has(t, map[string]string{
			"properties.tags": `["living","brave"]`, "properties.eyes": `{"$node":"Body/Eyes"}`,
			"properties.marks": `[{"$node":"Body/Eyes"},{"$node":"Body/Hand"}]`})
		s.call(t, "node list-groups", args{"node_path": "."}).ok(t).has(t, map[string]string{"groups": `["heroes","saved"]`})

		s.call(t, "scene save", nil).ok(t)
		if diff := lineDiff(masked(before), masked(read(t, e, scene))); diff != "" {
			t.Errorf("open and save changed more than the header:\n%s", diff)
		}
		changes(t, e, s, scene, "node set-property", set("Body/Hand", "position", []int{9, 1}), "- position = Vector2(6, 1)\n+ position = Vector2(9, 1)\n")
		changes(t, e, s, scene, "node set-property", set(".", "tags", []string{"living"}),
			"- tags = Array[StringName]([&\"living\", &\"brave\"])\n")
		changes(t, e, s, scene, "node set-property", set(".", "marks", []string{"Body/Hand"}),
			"- marks = [NodePath(\"Body/Eyes\"), NodePath(\"Body/Hand\")]\n+ marks = [NodePath(\"Body/Hand\")]\n")
		changes(t, e, s, scene, "node set-property", set("Brain", "behavior_speed", 2.5), "- behavior_speed = 1.5\n+ behavior_speed = 2.5\n")
	})
}

// TestF35SaveThatDropsIsRefused: the engine does not put back the exported nodes of a node whose class is
// not there, and its save would leave them out.
func TestF35SaveThatDropsIsRefused(t *testing.T) {
	e := oddEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := open(t, e, oddCopy(t, e, oddText(t, "agent/wired.tscn")))
		before := read(t, e, scene)
		s.call(t, "node set-property", set("Agent", "rotation", 1)).ok(t)
		for _, dry := range []bool{true, false} {
			s.call(t, "scene save", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "dependencies", "agent_node", "Brain", "OddBehaviorPlayer")
			s.call(t, "scene save-all", args{"dry_run": dry}).fails(t, "PRECONDITION_FAILED", "dependencies", "agent_node")
			s.call(t, "scene save-as", args{"dry_run": dry, "new_path": "res://tries/other.tscn"}).fails(t, "PRECONDITION_FAILED", "dependencies", "agent_node")
		}
		if got := read(t, e, scene); got != before {
			t.Errorf("the refused save wrote\n%s", got)
		}
		// Without the node there is nothing to lose.
		s.call(t, "node delete", gone("Brain")).ok(t)
		s.call(t, "scene save", nil).ok(t)
	})
}

// sharpless is the scene of F36 without its script, as a plain editor can open it.
func sharpless(t *testing.T) string {
	return strings.NewReplacer(
		"script = ExtResource(\"1_game\")\n", "", "CoinsToWin = 5\n", "",
		"[ext_resource type=\"Script\" path=\"res://sharp/Game.cs\" id=\"1_game\"]\n", "",
		"[ext_resource type=\"PackedScene\" path=\"res://sharp/mission.tscn\" id=\"4_mission\"]\n", "",
		"ExtResource(\"4_mission\")", "ExtResource(\"3_part\")",
	).Replace(oddText(t, "sharp/game.tscn"))
}

// TestF36CSharpInAPlainEditor: a scene with C# scripts, its own or those of a scene that it uses, is refused
// with the reason and no dialog waits; its file stays.
func TestF36CSharpInAPlainEditor(t *testing.T) {
	e := oddEditor(t)
	uses := write(t, e, "tries/uses_sharp.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://sharp/mission.tscn\" id=\"1\"]\n\n"+
		"[node name=\"Uses\" type=\"Node3D\"]\n\n[node name=\"Mission\" parent=\".\" instance=ExtResource(\"1\")]\nCoinsToWin = 5\n")
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for _, scene := range []string{"res://sharp/game.tscn", "res://sharp/mission.tscn", uses} {
			for _, dry := range []bool{true, false} {
				refused := s.call(t, "scene open", args{"scene_path": scene, "dry_run": dry})
				refused.has(t, map[string]string{"opened": "false", "missing": "[]"})
				if !strings.Contains(refused.text("reason"), ".NET") || !strings.Contains(refused.text("reason"), "res://sharp/Game.cs") {
					t.Errorf("%s: the reason is %s", scene, refused.text("reason"))
				}
				if refused.exit != 10 && refused.exit != -1 {
					t.Errorf("%s: exit code %d, want 10", scene, refused.exit)
				}
			}
		}
		same(t, "a refused scene open", before, state(t, e))
	})
}

// TestF36SevenLevelsDeep: what is overridden deep below an editable instance is listed, changed and reset.
func TestF36SevenLevelsDeep(t *testing.T) {
	e := oddEditor(t)
	const ring = "Map/Ground/Cells/Row/Cell/Prop/Arm/Ring"
	both(t, e, func(t *testing.T, s surface) {
		scene := openCopy(t, e, sharpless(t))
		deep := s.call(t, "node snapshot", args{"node_path": "Map/Ground"}).ok(t)
		if got := strings.Count(string(deep.raw), `"properties":{}`); got != 6 {
			t.Errorf("%d nodes are as the instance says, want 6: %s", got, deep.raw)
		}
		deep.has(t, map[string]string{"snapshot.children.0.children.0.children.0.children.0.children.0.children.0.properties": `{"visible":false}`})
		changes(t, e, s, scene, "node set-property", set(ring, "position", []int{1, 2, 3}),
			"+ transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)\n")
		changes(t, e, s, scene, "node reset-property", args{"node_path": ring, "property": "visible"}, "- visible = false\n").
			has(t, map[string]string{"value": "true", "previous": "false"})
		s.call(t, "node find", args{"name": "Player", "recursive": false}).ok(t).has(t, map[string]string{"nodes.0.path": "Player"})
		for _, name := range []string{"Map", "Mission", "Player", "Camera", "Menu", "Pause", "Death", "Win"} {
			s.call(t, "node get-property", args{"node_path": "%" + name, "property": "name"}).ok(t).has(t, map[string]string{"node_path": name})
		}
	})
}

// TestF37ScriptInsideTheScene: text that looks like scene text comes out as it is, and stays byte for byte
// when something beside it changes; the file stays in format 4.
func TestF37ScriptInsideTheScene(t *testing.T) {
	e := oddEditor(t)
	text := oddText(t, "dice/dice_room.tscn")
	_, rest, _ := strings.Cut(text, "script/source = \"")
	source, _, _ := strings.Cut(rest, "\"\n\n[node name=\"DiceRoom\"")
	source = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(source)
	both(t, e, func(t *testing.T, s surface) {
		scene := openCopy(t, e, text)
		if diff := masked(lineDiff(text, read(t, e, scene))); diff != "" && strings.Count(diff, "\n") > 4 {
			t.Errorf("open and save changed more than headers:\n%s", diff)
		}
		s.call(t, "node get-property", args{"node_path": ".", "property": "script:source_code"}).ok(t).has(t, map[string]string{"value": source})
		s.call(t, "node get", args{"node_path": ".", "include": []string{"sides", "seed_text"}}).ok(t).
			has(t, map[string]string{"properties": `{"seed_text":"SubResource(\"1\")","sides":8}`})
		changes(t, e, s, scene, "node set-property", set("%Lamp", "light_energy", 3), "- light_energy = 2.0\n+ light_energy = 3.0\n")
		changes(t, e, s, scene, "node set-property", set(".", "sides", 20), "- sides = 8\n+ sides = 20\n")
		changes(t, e, s, scene, "node set-property", set(".", "seed_text", "[node name=\"x\"]\n\\"),
			"+ seed_text = \"[node name=\\\"x\\\"]\n+ \\\\\"\n")
		changes(t, e, s, scene, "node set-property", set(".", "script:source_code", strings.Replace(source, "const FACES", "const SIDES", 1)),
			"- const FACES: Dictionary[int, String] = {\n+ const SIDES: Dictionary[int, String] = {\n")
		s.call(t, "node get-property", args{"node_path": "Die", "property": "scene_file_path"}).ok(t).has(t, map[string]string{"value": "res://dice/die.glb"})
		s.call(t, "scene tree", args{"root": "Die"}).ok(t).has(t, map[string]string{"tree.children.0.name": "Cube"})
		if !strings.HasPrefix(read(t, e, scene), "[gd_scene format=4") {
			t.Errorf("the format changed: %.60s", read(t, e, scene))
		}
	})
}

// TestF38EqualUniqueIDs: two nodes with one unique id, below two instances of one scene, are apart.
func TestF38EqualUniqueIDs(t *testing.T) {
	e := oddEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openCopy(t, e, oddText(t, "options/options.tscn"))
		changes(t, e, s, scene, "node set-property", set("Left/Button", "text", "one"), "- text = \"left\"\n+ text = \"one\"\n")
		changes(t, e, s, scene, "node set-property", set("Right/Button", "text", "two"), "- text = \"right\"\n+ text = \"two\"\n")
		changes(t, e, s, scene, "node set-property", set("Right/Grid/Extra", "text", "three"), "- text = \"mirror right\"\n+ text = \"three\"\n")
		changes(t, e, s, scene, "node reset-property", args{"node_path": "Left/Button", "property": "text"},
			"- [node name=\"Button\" parent=\"Left\" index=\"0\" unique_id=380002]\n- text = \"one\"\n- \n").has(t, map[string]string{"value": "slot"})
		for path, text := range map[string]string{"Left/Button": "slot", "Right/Button": "two", "Left/Grid/Extra": "mirror left", "Right/Grid/Extra": "three"} {
			s.call(t, "node get-property", args{"node_path": path, "property": "text"}).ok(t).has(t, map[string]string{"value": text, "node_path": path})
		}
	})
}

// TestF39SetAndResetExactlyOne: properties with slashes in their names, one that ends in a slash, a node
// path and an animation library are set and reset one at a time.
func TestF39SetAndResetExactlyOne(t *testing.T) {
	e := oddEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openCopy(t, e, oddText(t, "machine/demo.tscn"))
		const player, label = "Player/AnimationPlayer", "Player/State"
		reset := func(path, property, want string) answer {
			t.Helper()
			return changes(t, e, s, scene, "node reset-property", args{"node_path": path, "property": property}, want)
		}
		whole := s.call(t, "node get-property", args{"node_path": player, "property": "libraries/"}).ok(t)
		changes(t, e, s, scene, "node set-property", set(label, "theme_override_colors/font_color", "#00ff00"),
			"- theme_override_colors/font_color = Color(1, 0.5, 0, 1)\n+ theme_override_colors/font_color = Color(0, 1, 0, 1)\n")
		changes(t, e, s, scene, "node set-property", set(label, "theme_override_font_sizes/font_size", 20), "+ theme_override_font_sizes/font_size = 20\n")
		reset(label, "theme_override_constants/shadow_offset_x", "- theme_override_constants/shadow_offset_x = 2\n")
		reset(label, "theme_override_colors/font_color", "- theme_override_colors/font_color = Color(0, 1, 0, 1)\n")
		changes(t, e, s, scene, "node set-property", set(player, "libraries/:_data:walk:length", 0.75), "- length = 0.5\n+ length = 0.75\n")
		changes(t, e, s, scene, "node set-property", set(player, "root_node", "."),
			"- root_node = NodePath(\"../Pivot\")\n+ root_node = NodePath(\".\")\n")
		reset(player, "root_node", "- root_node = NodePath(\".\")\n").has(t, map[string]string{"value": ".."})
		reset(player, "libraries/extra", "- [sub_resource type=\"AnimationLibrary\" id=\"Library_extra\"]\n- \n- libraries/extra = SubResource(\"Library_extra\")\n")

		before := read(t, e, scene)
		back := previewed(t, e, s, "node reset-property", args{"node_path": player, "property": "libraries/"})
		if !strings.HasPrefix(back.text("value.$path"), "res://machine/character.tscn::") {
			t.Errorf("reset gave %s", back.raw)
		}
		s.call(t, "scene save", nil).ok(t)
		if text := read(t, e, scene); strings.Contains(text, "libraries/") || strings.Contains(text, "Animation_walk") {
			t.Errorf("the file still has the library:\n%s", text)
		}
		// What get printed before is the same object again, as long as undo could bring it back.
		s.call(t, "node set-property", set(player, "libraries/", whole.value("value"))).ok(t).
			has(t, map[string]string{"value.$path": whole.text("value.$path")})
		s.call(t, "scene save", nil).ok(t)
		if diff := lineDiff(before, read(t, e, scene)); diff != "" {
			t.Errorf("setting what was there changed\n%s", diff)
		}
	})
}

// TestF40OneSubResourceOfAStyle: one sub-resource of a .tres is changed through a node that uses it. The
// rest of that file stays byte for byte, the array keeps the script that types it, and undo brings the bytes
// back.
func TestF40OneSubResourceOfAStyle(t *testing.T) {
	e := oddEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		style := write(t, e, "tries/"+filepath.Base(t.Name())+" style.tres", headerUID.ReplaceAllString(oddText(t, "novel style/style.tres"), "$1"))
		scene := openCopy(t, e, strings.Replace(oddText(t, "novel style/stage.tscn"), "res://novel style/style.tres", style, 1))
		// The engine writes the uid that the style has since the first save.
		s.call(t, "scene save", nil).ok(t)
		before, sceneBefore := read(t, e, style), read(t, e, scene)
		for _, kept := range []string{`layers = Array[ExtResource("1_layer")]([SubResource("Resource_1"), `, "\n\"\": SubResource(", "\n\"15\": SubResource(",
			"\nmetadata/_latest_layer = \"15\"\n", `script_class="OddStyle"`} {
			if !strings.Contains(before, kept) {
				t.Errorf("open and save lost %q", kept)
			}
		}
		s.call(t, "node get-property", args{"node_path": ".", "property": "style"}).ok(t).has(t, map[string]string{"value.$resource": style})
		layers := s.call(t, "node get-property", args{"node_path": ".", "property": "style:layers"}).ok(t)
		info := s.call(t, "node get-property", args{"node_path": ".", "property": "style:layer_info"}).ok(t)
		layers.has(t, map[string]string{"value.0.$path": style + "::Resource_1", "value.5.properties.overrides.size": "60"})
		if _, there := info.value("value").(map[string]any)[""]; !there {
			t.Errorf("the empty key is not there: %s", info.raw)
		}

		change := set(".", "style:layers:1:scene", "res://novel style/speaker.tscn")
		previewed(t, e, s, "node set-property", change).has(t, map[string]string{"persisted": "true", "value.$resource": "res://novel style/speaker.tscn"})
		s.call(t, "scene save", nil).ok(t)
		speaker := regexp.MustCompile(`(?m)^\+ \[ext_resource type="PackedScene" (?:uid="\S+" )?path="res://novel style/speaker\.tscn" id="(\w+)"\]\n`)
		diff := lineDiff(before, read(t, e, style))
		m := speaker.FindStringSubmatch(diff)
		if m == nil {
			t.Fatalf("the style has no line for the new scene:\n%s", diff)
		}
		if rest := strings.Replace(diff, m[0], "", 1); rest != "- scene = ExtResource(\"2_box\")\n+ scene = ExtResource(\""+m[1]+"\")\n" &&
			rest != "- scene = ExtResource(\"3_choices\")\n+ scene = ExtResource(\""+m[1]+"\")\n" {
			t.Errorf("more than one sub-resource changed:\n%s", diff)
		}
		if got := read(t, e, scene); got != sceneBefore {
			t.Errorf("the scene changed too:\n%s", lineDiff(sceneBefore, got))
		}

		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "node set-property", "history": "global", "by": "tool"})
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, style); got != before {
			t.Errorf("after undo and save the style differs by\n%s", lineDiff(before, got))
		}

		for _, key := range []string{"", "10"} {
			change := set(".", "style:layer_info:"+key+":overrides:size", "7")
			previewed(t, e, s, "node set-property", change).has(t, map[string]string{"value": "7"})
			s.call(t, "scene save", nil).ok(t)
			if diff := lineDiff(before, read(t, e, style)); strings.Count(diff, "\n") != 2 || !strings.HasSuffix(diff, "+ \"size\": \"7\",\n") {
				t.Errorf("the key %q: the style changed by\n%s", key, diff)
			}
			s.call(t, "undo", nil).ok(t)
		}
		for property, value := range map[string]any{"style:layers": layers.value("value"), "style:layer_info": info.value("value")} {
			s.call(t, "node set-property", set(".", property, value)).ok(t)
		}
		s.call(t, "node set-property", set(".", "style:layers", []any{layers.value("value.0"), map[string]any{"type": "Curve2D"}})).
			fails(t, "VALIDATION_ERROR", "value", "element 1", "OddLayer")
		s.call(t, "scene save", nil).ok(t)
		if got := read(t, e, style); got != before {
			t.Errorf("writing what was read changed the style by\n%s", lineDiff(before, got))
		}
	})
}

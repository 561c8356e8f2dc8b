package testbed

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const formatBase = `[gd_scene format=3 uid="uid://cf0rmatsbase"]

[node name="Base" type="Node2D" unique_id=300001]

[node name="Arm" type="Node2D" parent="." unique_id=300002]

[node name="Hand" type="Sprite2D" parent="Arm" unique_id=300003]
`

// formatCase is a scene as one version of the engine or another writes it. kept are patterns that the file
// has after an edit, BASE is the scene that it uses.
type formatCase struct {
	name, text string
	kept       []string
}

func formatCases() []formatCase {
	const sub = "\n[sub_resource type=\"CircleShape2D\" id=\"CircleShape2D_ab1cd\"]\nradius = 5.0\n"
	const rest = "\n[node name=\"Shape\" type=\"CollisionShape2D\" parent=\".\"]\nshape = SubResource(\"CircleShape2D_ab1cd\")\n\n" +
		"[node name=\"Target\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(1, 2)\n"
	return []formatCase{
		{"3_with_load_steps", "[gd_scene load_steps=2 format=3 uid=\"uid://UID\"]\n" + sub + "\n[node name=\"Top\" type=\"Node2D\"]\n" + rest,
			[]string{`radius = 5\.0`, `id="CircleShape2D_ab1cd"`}},
		{"3_without_load_steps", "[gd_scene format=3 uid=\"uid://UID\"]\n" + sub + "\n[node name=\"Top\" type=\"Node2D\"]\n" + rest,
			[]string{`radius = 5\.0`}},
		{"3_with_unique_ids", "[gd_scene format=3 uid=\"uid://UID\"]\n\n[ext_resource type=\"PackedScene\" path=\"BASE\" id=\"1_base\"]\n" + sub +
			"\n[node name=\"Top\" type=\"Node2D\" unique_id=400001]\n" + rest +
			"\n[node name=\"Inst\" parent=\".\" unique_id=400002 instance=ExtResource(\"1_base\")]\n\n" +
			"[node name=\"Hand\" parent=\"Inst/Arm\" parent_id_path=PackedInt32Array(400002, 300002) index=\"0\" unique_id=300003]\nflip_h = true\n\n" +
			"[node name=\"Ring\" type=\"Node2D\" parent=\"Inst/Arm\" parent_id_path=PackedInt32Array(400002, 300002) index=\"1\" unique_id=400003]\n\n[editable path=\"Inst\"]\n",
			[]string{`name="Top" type="Node2D" unique_id=400001\]`, `parent_id_path=PackedInt32Array\(400002, 300002\) index="0" unique_id=300003\]`,
				`parent_id_path=PackedInt32Array\(400002, 300002\) index="1" unique_id=400003\]`}},
		{"4_with_bytes_and_vectors", "[gd_scene format=4 uid=\"uid://UID\"]\n" + sub +
			"\n[node name=\"Top\" type=\"Node2D\"]\nmetadata/bytes = PackedByteArray(\"" + strings.Repeat("AAEC", 24) + "\")\n" +
			"metadata/vectors = PackedVector4Array(1, 2, 3, 4)\n" + rest,
			[]string{`PackedByteArray\("(?:AAEC){24}"\)`, `PackedVector4Array\(1, 2, 3, 4\)`}},
		{"4_with_load_steps", "[gd_scene load_steps=2 format=4 uid=\"uid://UID\"]\n" + sub +
			"\n[node name=\"Top\" type=\"Node2D\"]\nmetadata/vectors = PackedVector4Array(1, 2, 3, 4)\n" + rest,
			[]string{`PackedVector4Array\(1, 2, 3, 4\)`}},
		// The engine itself writes the older format when the newer one is not needed.
		{"4_without_need", "[gd_scene format=4 uid=\"uid://UID\"]\n" + sub + "\n[node name=\"Top\" type=\"Node2D\"]\n" + rest, nil},
	}
}

var formatNumber = regexp.MustCompile(`\A\[gd_scene [^\]]*format=(\d+)`)

// TestF30Formats: one edit of a scene in each of the engine's formats changes one line against what opening
// and saving alone leaves; the format is the same, and what the newer versions add stays.
func TestF30Formats(t *testing.T) {
	e := sharedEditor(t)
	base := write(t, e, "f30/base.tscn", formatBase)
	both(t, e, func(t *testing.T, s surface) {
		for i, c := range formatCases() {
			t.Run(c.name, func(t *testing.T) {
				var texts []string
				for j, edit := range []bool{false, true} {
					uid := "cf0rmats" + string(rune('a'+i)) + string(rune('a'+j)) + filepath.Base(filepath.Dir(t.Name()))
					text := strings.NewReplacer("UID", uid, "BASE", base).Replace(c.text)
					scene := openScene(t, e, "f30/"+uid+".tscn", text)
					if edit {
						s.call(t, "node set-property", set("Target", "position", []int{3, 4})).ok(t).has(t, map[string]string{"persisted": "true"})
					}
					s.call(t, "scene save", nil).ok(t)
					texts = append(texts, read(t, e, scene))
					if !strings.Contains(texts[j], `uid="uid://`+uid+`"`) {
						t.Errorf("the file lost its uid %s: %.100s", uid, texts[j])
					}
				}
				if diff := lineDiff(masked(texts[0]), masked(texts[1])); diff != "- position = Vector2(1, 2)\n+ position = Vector2(3, 4)\n" {
					t.Errorf("against open and save the edit changed\n%s", diff)
				}
				for j := range texts {
					for _, pattern := range c.kept {
						if !regexp.MustCompile(pattern).MatchString(texts[j]) {
							t.Errorf("the file lost %s:\n%s", pattern, texts[j])
						}
					}
				}
				before, plain, edited := formatNumber.FindStringSubmatch(c.text), formatNumber.FindStringSubmatch(texts[0]), formatNumber.FindStringSubmatch(texts[1])
				if plain[1] != edited[1] || c.kept != nil && before[1] != edited[1] {
					t.Errorf("format %s became %s by open and save, %s by an edit", before[1], plain[1], edited[1])
				}
			})
		}
	})
}

// TestF30NewerFormatIsRefused: a file of a newer engine, or one that needs such a file, is not opened. The
// answer names both versions, no dialog waits, and the file stays.
func TestF30NewerFormatIsRefused(t *testing.T) {
	e := sharedEditor(t)
	newer := write(t, e, "f30/of later.tscn", "[gd_scene format=9]\n\n[node name=\"Later\" type=\"Node2D\" later_attribute=7]\n")
	needs := write(t, e, "f30/needs_later.tscn", instanceOf(newer))
	resource := write(t, e, "f30/later.tres", "[gd_resource type=\"CircleShape2D\" format=9]\n\n[resource]\nradius = 5.0\n")
	uses := write(t, e, "f30/uses_later.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Shape2D\" path=\""+resource+
		"\" id=\"1\"]\n\n[node name=\"Uses\" type=\"CollisionShape2D\"]\nshape = ExtResource(\"1\")\n")
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		for scene, culprit := range map[string]string{newer: newer, needs: newer, uses: resource} {
			for _, dry := range []bool{true, false} {
				a := s.call(t, "scene open", args{"scene_path": scene, "dry_run": dry})
				a.has(t, map[string]string{"opened": "false", "already_open": "false"})
				for _, word := range []string{"format 9", "4.6", culprit} {
					if !strings.Contains(a.text("reason"), word) {
						t.Errorf("%s: the reason lacks %s: %s", scene, word, a.text("reason"))
					}
				}
				if a.exit != 10 && a.exit != -1 {
					t.Errorf("%s: exit code %d, want 10", scene, a.exit)
				}
			}
		}
		s.call(t, "scene create", args{"root_type": "Node2D", "scene_path": "res://f30/heir.tscn", "base_scene": newer}).fails(t, "VALIDATION_ERROR", "base_scene", newer)
		s.call(t, "node set-property", set(".", "rotation", 1).with("scene_path", newer)).fails(t, "PRECONDITION_FAILED", "scene_open", newer)
		same(t, "a refused scene open", before, state(t, e))
		s.call(t, "scene list", nil).ok(t)
		if _, err := os.Stat(onDisk(e, "res://f30/heir.tscn")); !os.IsNotExist(err) {
			t.Errorf("the refused scene create left a file: %v", err)
		}
	})
}

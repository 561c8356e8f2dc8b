package commands

type fileTreeParams struct {
	Directory string `json:"directory" p:"arg" default:"res://" kind:"project" doc:"Folder to begin at"`
	MaxDepth  int    `json:"max_depth" default:"-1" doc:"Levels below the folder; 0 is the folder alone, -1 all"`
}

type fileTreeResult struct {
	Tree      Object `json:"tree" doc:"name, path, type (directory, else the engine's class or file), children of folders"`
	Total     int    `json:"total" doc:"Files and folders in the tree, its top included"`
	Truncated bool   `json:"truncated" doc:"True when there are more than 20,000: ask for a folder below"`
}

type fileSearchParams struct {
	Directory string `json:"directory" default:"res://" kind:"project" doc:"Folder to look in, with all below"`
	NameGlob  string `json:"name_glob" p:"arg" default:"" doc:"Name to match with * and ?, in any letter case; with a slash in it the path below directory"`
	Content   string `json:"content" default:"" doc:"Exact text that a line of the file holds; files with zero bytes are not looked into"`
	Limit     int    `json:"limit" default:"200" doc:"Matches to return at most, 1 to 10000"`
}

type fileMatch struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty" doc:"From 1, when content was asked for"`
	Text string `json:"text,omitempty" doc:"The line, at most 200 characters around the text"`
}

type fileSearchResult struct {
	Matches   []fileMatch `json:"matches"`
	Truncated bool        `json:"truncated" doc:"True when limit left matches out, or files too big to look into"`
	Skipped   []string    `json:"skipped,omitempty" doc:"Files of more than 8 MiB, which were not looked into"`
}

type fileReadParams struct {
	Path   string `json:"path" p:"required" kind:"project" doc:"Text file in UTF-8"`
	Offset int    `json:"offset" default:"0" doc:"Lines to skip"`
	Limit  int    `json:"limit" default:"0" doc:"Lines to return at most; 0 is all"`
}

type fileReadResult struct {
	Path       string `json:"path"`
	Content    string `json:"content" doc:"The lines with their ends, without a byte order mark"`
	Bytes      int    `json:"bytes" doc:"Size of the whole file"`
	SHA256     string `json:"sha256" doc:"Of the whole file's bytes, for expect_sha256"`
	Lines      int    `json:"lines" doc:"Lines of the whole file"`
	Truncated  bool   `json:"truncated" doc:"True when limit left lines out"`
	NextOffset int    `json:"next_offset,omitempty" doc:"Offset of the next lines"`
}

type fileResolveUIDParams struct {
	Value string `json:"value" p:"required" kind:"project" doc:"uid://... or a path below res://"`
}

type fileResolveUIDResult struct {
	UID  *string `json:"uid" doc:"Null for a file that has none"`
	Path *string `json:"path" doc:"Null for a uid that no file has"`
}

type fileRescanParams struct {
	Wait      bool `json:"wait" default:"true" doc:"Answer when the editor has scanned and imported"`
	TimeoutMs int  `json:"timeout_ms" default:"5000" doc:"Milliseconds to wait at most"`
}

type fileRescanResult struct {
	Scanning bool `json:"scanning" doc:"The editor is still scanning or importing"`
	Scanned  bool `json:"scanned" doc:"A scan that began with this call has ended"`
}

func fileTools() []*Tool {
	return append([]*Tool{
		New(Spec[fileTreeParams, fileTreeResult]{
			Name: "file tree", Class: ReadOnly,
			Alias:   "project_get_filesystem_tree",
			Summary: "Show the project's folders and files, without hidden and ignored ones.",
			Example: fileTreeParams{Directory: "res://", MaxDepth: 2},
		}),
		New(Spec[fileSearchParams, fileSearchResult]{
			Name: "file search", Class: ReadOnly,
			Alias: "project_search_files",
			AliasMap: AliasMap{
				Params:  map[string]string{"max_results": "limit"},
				Results: map[string]string{"matches": "[.matches[].path] | reduce .[] as $p ([]; if index([$p]) then . else . + [$p] end)"},
			},
			Summary: "Search files by name and by a text in them.",
			Example: fileSearchParams{NameGlob: "*.gd", Content: "lives"},
		}),
		New(Spec[fileReadParams, fileReadResult]{
			Name: "file read", Class: ReadOnly,
			Summary: "Read a text file, whole or some lines.",
			Example: fileReadParams{Path: "res://project.godot", Limit: 40},
		}),
		New(Spec[fileResolveUIDParams, fileResolveUIDResult]{
			Name: "file resolve-uid", Class: ReadOnly,
			Alias:   "project_resolve_uid",
			Summary: "Tell the path of a uid, or the uid of a file.",
			Example: fileResolveUIDParams{Value: "res://player.gd"},
		}),
		New(Spec[fileRescanParams, fileRescanResult]{
			Name: "file rescan", Class: ReadOnly,
			Alias:   "scene_edit_rescan_filesystem",
			Summary: "Have the editor look for new, changed and removed files.",
			Example: fileRescanParams{Wait: true, TimeoutMs: 20000},
		}),
	}, fileChangeTools()...)
}

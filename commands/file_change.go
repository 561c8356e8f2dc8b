package commands

type fileWriteParams struct {
	Path         string `json:"path" p:"required" kind:"project" doc:"Text file to make or replace"`
	Content      string `json:"content" p:"required" doc:"The whole text; the file keeps its line ends and byte order mark"`
	ExpectSHA256 string `json:"expect_sha256" default:"" doc:"Refuse when the file is no longer this one, see file read"`
}

type fileWriteResult struct {
	Path           string `json:"path"`
	Created        bool   `json:"created" doc:"The file was not there before"`
	WouldOverwrite bool   `json:"would_overwrite" doc:"The file was there before"`
	Bytes          int    `json:"bytes" doc:"Size of the file with the new text"`
}

type fileCreateFolderParams struct {
	Path string `json:"path" p:"required" kind:"project" doc:"Folder to make"`
}

type fileCreateFolderResult struct {
	Path    string `json:"path"`
	Created bool   `json:"created" doc:"False when it was there before"`
}

type fileMoveParams struct {
	Path    string `json:"path" p:"required" kind:"tree" doc:"File or folder"`
	NewPath string `json:"new_path" p:"required" kind:"project" doc:"Its whole new path, where nothing is yet"`
}

type fileReference struct {
	File  string `json:"file" doc:"By its new path"`
	Count int    `json:"count"`
}

type fileMoveResult struct {
	OldPath       string          `json:"old_path"`
	NewPath       string          `json:"new_path"`
	UpdatedRefs   []fileReference `json:"updated_refs" doc:"Files in which references were changed, and how many"`
	NotUpdated    []string        `json:"not_updated,omitempty" doc:"Files that name the old path and were left as they are"`
	Moved         bool            `json:"moved"`
	RescanPending bool            `json:"rescan_pending,omitempty" doc:"The editor is still scanning or importing"`
}

type fileCopyParams struct {
	Path    string `json:"path" p:"required" kind:"tree" doc:"File or folder"`
	NewPath string `json:"new_path" p:"required" kind:"project" doc:"Path of the copy, where nothing is yet"`
}

type fileCopyResult struct {
	Path          string          `json:"path"`
	NewPath       string          `json:"new_path"`
	Copied        bool            `json:"copied"`
	NewUID        *string         `json:"new_uid" doc:"Null for folders, and files that have none"`
	UpdatedRefs   []fileReference `json:"updated_refs" doc:"Copies whose references now point to copies, and how many"`
	RescanPending bool            `json:"rescan_pending,omitempty" doc:"The editor is still scanning or importing"`
}

type fileDeleteParams struct {
	Path string `json:"path" p:"required" kind:"tree" doc:"File or folder"`
}

type fileDeleteResult struct {
	Path      string `json:"path"`
	Deleted   bool   `json:"deleted"`
	HadUID    bool   `json:"had_uid" doc:"It, or a file in it, had a uid"`
	TabClosed bool   `json:"tab_closed" doc:"A scene of it was open"`
}

// fileChangeTools are the file tools that change something.
func fileChangeTools() []*Tool {
	return []*Tool{
		New(Spec[fileWriteParams, fileWriteResult]{
			Name: "file write", Class: Mutating, ExecutesCode: true,
			Summary: "Write a text file, new or in place of what it held.",
			Example: fileWriteParams{Path: "res://notes.txt", Content: "To do: more coins\n"},
		}),
		New(Spec[fileCreateFolderParams, fileCreateFolderResult]{
			Name: "file create-folder", Class: Mutating,
			Summary: "Make a folder, with those above it.",
			Example: fileCreateFolderParams{Path: "res://levels"},
		}),
		New(Spec[fileMoveParams, fileMoveResult]{
			Name: "file move", Class: Mutating, ExecutesCode: true,
			Alias:   "project_move_file",
			Summary: "Move or rename a file or folder, and update all references to it.",
			Example: fileMoveParams{Path: "res://slime.gd", NewPath: "res://enemies/slime.gd"},
		}),
		New(Spec[fileCopyParams, fileCopyResult]{
			Name: "file copy", Class: Mutating,
			Summary: "Copy a file or folder; copies get uids of their own.",
			Example: fileCopyParams{Path: "res://enemy.tscn", NewPath: "res://boss.tscn"},
		}),
		New(Spec[fileDeleteParams, fileDeleteResult]{
			Name: "file delete", Class: Destructive,
			Alias:   "project_delete_resource_file",
			Summary: "Delete a file or folder with its .uid and .import files.",
			Example: fileDeleteParams{Path: "res://slime.gd"},
		}),
	}
}

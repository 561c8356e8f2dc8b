package commands

type editorLogParams struct {
	SinceSeq int    `json:"since_seq" default:"0" doc:"Only what is later than this number; 0 is the last entries"`
	Level    string `json:"level" default:"" doc:"info, warning or error: only this level and those above it; empty is all"`
	Limit    int    `json:"limit" default:"200" doc:"Entries to return at most; 0 is no limit"`
}

type editorLogEntry struct {
	Seq    int     `json:"seq" doc:"Number of the entry, from 1 since the addon started"`
	Level  string  `json:"level" enum:"info,warning,error"`
	Text   string  `json:"text" doc:"What was printed, without the colours of a terminal"`
	Source *string `json:"source" doc:"File that an error or warning came from; null for what was printed"`
	Line   *int    `json:"line"`
	TimeMS int     `json:"time_ms" doc:"Milliseconds since 1970"`
}

type editorLogResult struct {
	Entries []editorLogEntry `json:"entries" doc:"The oldest first"`
	NextSeq int              `json:"next_seq" doc:"since_seq of the next call"`
	Dropped int              `json:"dropped" doc:"Entries later than since_seq that are no longer kept"`
}

func editorLogTools() []*Tool {
	return []*Tool{
		New(Spec[editorLogParams, editorLogResult]{
			Name: "editor log", Class: ReadOnly, Starter: true,
			Summary: "Read what the editor printed: messages, warnings and errors.",
			Example: editorLogParams{Level: "warning", Limit: 50},
		}),
	}
}

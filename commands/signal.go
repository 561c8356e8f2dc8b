package commands

type namedWithArgs struct {
	Name string     `json:"name"`
	Args []classArg `json:"args"`
}

type signalListResult struct {
	NodePath string          `json:"node_path"`
	Signals  []namedWithArgs `json:"signals" doc:"Of the script first, then of the class and those above it"`
	Methods  []namedWithArgs `json:"methods" doc:"What a signal can be connected to: of the script first, then of the class and those above it"`
}

type signalConnection struct {
	Signal     string   `json:"signal"`
	TargetPath string   `json:"target_path"`
	Method     string   `json:"method"`
	Persistent bool     `json:"persistent" doc:"Whether it is kept in the scene's file"`
	Flags      []string `json:"flags" doc:"deferred, one_shot, reference_counted, append_source, inherited"`
	Binds      []Any    `json:"binds" doc:"Values that the method is given behind the signal's own"`
}

type signalListConnectionsResult struct {
	NodePath    string             `json:"node_path"`
	Connections []signalConnection `json:"connections" doc:"From signals of this node to nodes of the scene"`
}

type signalParams struct {
	SourcePath string `json:"source_path" p:"required" kind:"node" doc:"Node with the signal; . is the root, %Name a unique name"`
	SignalName string `json:"signal_name" p:"required" doc:"Signal of that node"`
	TargetPath string `json:"target_path" p:"required" kind:"node" doc:"Node with the method"`
	MethodName string `json:"method_name" p:"required" doc:"Method of that node"`
}

type signalConnectParams struct {
	SourcePath string `json:"source_path" p:"required" kind:"node" doc:"Node with the signal; . is the root, %Name a unique name"`
	SignalName string `json:"signal_name" p:"required" doc:"Signal of that node"`
	TargetPath string `json:"target_path" p:"required" kind:"node" doc:"Node with the method"`
	MethodName string `json:"method_name" p:"required" doc:"Method of that node, which must be there"`
	Deferred   bool   `json:"deferred" default:"false" doc:"Call the method when the frame is idle"`
	OneShot    bool   `json:"one_shot" default:"false" doc:"Disconnect after the first time"`
	Binds      []Any  `json:"binds" p:"option" doc:"Values that the method is given behind the signal's own"`
}

type signalConnectResult struct {
	SourcePath       string `json:"source_path"`
	SignalName       string `json:"signal_name"`
	TargetPath       string `json:"target_path"`
	MethodName       string `json:"method_name"`
	Connected        bool   `json:"connected"`
	AlreadyConnected bool   `json:"already_connected" doc:"True when it was there before and nothing was changed"`
}

type signalDisconnectResult struct {
	SourcePath   string `json:"source_path"`
	SignalName   string `json:"signal_name"`
	TargetPath   string `json:"target_path"`
	MethodName   string `json:"method_name"`
	Disconnected bool   `json:"disconnected"`
}

func signalTools() []*Tool {
	example := signalParams{SourcePath: "Player", SignalName: "visibility_changed", TargetPath: "Player", MethodName: "queue_redraw"}
	return []*Tool{
		New(Spec[nodePath, signalListResult]{
			Name: "signal list", Class: ReadOnly, Scene: true,
			Summary: "List the signals and methods of a node.",
			Example: nodePath{NodePath: "Player"},
		}),
		New(Spec[nodePath, signalListConnectionsResult]{
			Name: "signal list-connections", Class: ReadOnly, Scene: true,
			Alias:   "scene_edit_list_signal_connections",
			Summary: "List what the signals of a node are connected to.",
			Example: nodePath{NodePath: "Player"},
		}),
		New(Spec[signalConnectParams, signalConnectResult]{
			Name: "signal connect", Class: Mutating, Scene: true,
			Alias:   "scene_edit_connect_signal",
			Summary: "Connect a signal of a node to a method of a node, in the scene's file.",
			Example: signalConnectParams{
				SourcePath: example.SourcePath, SignalName: example.SignalName,
				TargetPath: example.TargetPath, MethodName: example.MethodName,
			},
		}),
		New(Spec[signalParams, signalDisconnectResult]{
			Name: "signal disconnect", Class: Mutating, Scene: true,
			Alias:    "scene_edit_disconnect_signal",
			AliasMap: AliasMap{Params: map[string]string{"confirm": ""}},
			Summary:  "Take out a connection between a signal and a method.",
			Example:  example,
		}),
	}
}

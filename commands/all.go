package commands

import "sync"

// All is the table of every tool, in the order in which help and documents show them.
var All = sync.OnceValue(func() *Table {
	return withFixtures(NewTable(
		coreTools(), serverTools(), toolsetTools(), toolTools(), projectTools(), projectSettingsTools(), projectScaffoldTools(), projectDiagnoseTools(), autoloadTools(), pluginTools(), inputMapTools(),
		sceneTools(), sceneTabTools(), nodeTools(), nodeEditTools(),
		nodeFindTools(), nodeScriptTools(), signalTools(), batchTools(), scriptTools(), classTools(), resourceTools(), editorTools(), editorLogTools(), editorScreenshotTools(), artifactTools(),
		fileTools(), gameTools(), gameValueTools(), gameTimeTools(), gameWatchTools(), gameScreenshotTools(), gameUITools(), inputTools(), gameHeadlessTools(),
		sceneExtractTools(), nodeInstanceTools(), nodeChangeTools(), nodeSelectTools(),
	))
})

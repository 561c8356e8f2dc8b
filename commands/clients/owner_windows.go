package clients

import (
	"io/fs"
	"os"
)

// keepOwner has nothing to do: files take over the folder's rights.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

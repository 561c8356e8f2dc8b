package bridge

import (
	"os"

	"golang.org/x/sys/windows"
)

func openNoFollow(path string) (*os.File, error) { return os.Open(path) }

// distrustOwner says why a file or folder may have been written by someone
// else. Windows has no mode bits: the owner decides, who is the user or, for
// what an elevated process made, the administrators.
func distrustOwner(path string, info os.FileInfo) string { return otherOwner(path, info) }

// otherOwner is "" for what is the user's own.
func otherOwner(path string, _ os.FileInfo) string {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return reasonOf(err)
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return reasonOf(err)
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return reasonOf(err)
	}
	if owner.Equals(user.User.Sid) || owner.IsWellKnown(windows.WinBuiltinAdministratorsSid) {
		return ""
	}
	return "belongs to another user"
}

#!/usr/bin/env bash
# Makes sure that the pinned gdformat and gdlint are there, and prints the folder
# that holds the two programs.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec "$here/install-venv.sh" gdtoolkit "$here/requirements.txt"

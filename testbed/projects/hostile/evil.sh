#!/bin/sh
# What a project may not have run by its settings.
touch "$(dirname "$0")/pwned"

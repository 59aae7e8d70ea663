#!/bin/sh
# Makes the Python environment of a list of packages in the folder given, unless it is there already; prints its interpreter.
set -e
target=${1:?usage: prepare.sh FOLDER [REQUIREMENTS]}
requirements=${2:-$(cd "$(dirname "$0")" && pwd)/requirements.txt}
python=${PYTHON:-python3}
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then
  echo "prerequisite: Python 3.10 or newer with venv is needed to read the lake and to send with Python" \
    "(Debian: apt-get install python3-venv), or set PYTHON to one." >&2
  exit 1
fi
if ! cmp -s "$requirements" "$target/requirements.txt"; then
  rm -rf "$target"
  "$python" -m venv "$target" >&2
  "$target/bin/pip" install -q --disable-pip-version-check -r "$requirements" >&2
  cp "$requirements" "$target/requirements.txt"
fi
echo "$target/bin/python"

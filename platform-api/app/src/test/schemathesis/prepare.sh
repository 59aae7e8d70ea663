#!/bin/sh
# Makes the Python environment of requirements.txt in the folder given, unless it is there already; prints its schemathesis.
set -e
here=$(cd "$(dirname "$0")" && pwd)
target=${1:?usage: prepare.sh FOLDER}
python=${PYTHON:-python3}
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then
  echo "prerequisite: Python 3.10 or newer with venv is needed to test the contracts" \
    "(Debian: apt-get install python3-venv), or set PYTHON to one." >&2
  exit 1
fi
if ! cmp -s "$here/requirements.txt" "$target/requirements.txt"; then
  rm -rf "$target"
  "$python" -m venv "$target" >&2
  "$target/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt" >&2
  cp "$here/requirements.txt" "$target/requirements.txt"
fi
echo "$target/bin/schemathesis"

#!/bin/sh
# Fetches the reference libraries of Standard Webhooks for Python, JavaScript and Go into the folder given, unless they are there already.
set -e
here=$(cd "$(dirname "$0")" && pwd)
target=${1:?usage: prepare.sh FOLDER}
python=${PYTHON:-python3}
mkdir -p "$(dirname "$target")"
cat "$here/requirements.txt" "$here/package-lock.json" "$here/go.sum" "$here/main.go" "$here/verify.js" > "$target.wanted"
if ! cmp -s "$target.wanted" "$target/made"; then
  rm -rf "$target"
  "$python" -m venv "$target/python" >&2
  "$target/python/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt" >&2
  cp "$here/package.json" "$here/package-lock.json" "$here/verify.js" "$target"
  npm ci --silent --no-audit --no-fund --prefix "$target" >&2
  (cd "$here" && go build -o "$target/verify-go" .) >&2
  cp "$target.wanted" "$target/made"
fi
rm -f "$target.wanted"

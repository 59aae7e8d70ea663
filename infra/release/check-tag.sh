#!/bin/sh
# Ends with 2 unless the commit has the tag of a version and the checkout is as the commit. Usage: check-tag.sh VERSION
set -eu
case "${1:-}" in
  [0-9]*.[0-9]*.[0-9]*) ;;
  *) echo "release: give a version, as in VERSION=0.1.0" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/../.."
if ! git tag --points-at HEAD | grep -qx "v$1"; then
  echo "release: this commit has no tag v$1. Tag it (git tag v$1), or check the tag out (git checkout v$1)." >&2
  exit 2
fi
if [ -n "$(git status --porcelain)" ]; then
  echo "release: the checkout has changes that the tag v$1 does not have:" >&2
  git status --short >&2
  exit 2
fi

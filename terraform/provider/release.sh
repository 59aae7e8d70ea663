#!/bin/sh
# Makes the artifacts of a release in dist, named and laid out as GoReleaser does for registries of providers: one zip for each
# platform, SHA256SUMS over all of them and the manifest, a detached signature when a GPG key is given; and archives of
# tidemarkctl. Reproducible: the same sources give the same binaries. Usage: release.sh VERSION [GPG_KEY]
set -eu
version=$1
key=${2:-}
case "$version" in
  [0-9]*.[0-9]*.[0-9]*) ;;
  *) echo "release: give a version, as in VERSION=0.1.0" >&2; exit 2 ;;
esac
command -v zip > /dev/null || { echo "release: zip not found. Debian: apt-get install zip." >&2; exit 2; }
cd "$(dirname "$0")"
rm -rf dist
mkdir dist
for platform in ${PLATFORMS:-linux_amd64 linux_arm64 darwin_amd64 darwin_arm64 windows_amd64}; do
  os=${platform%_*}
  arch=${platform#*_}
  suffix=
  [ "$os" != windows ] || suffix=.exe
  build() { # build PROGRAM PACKAGE
    CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags "-s -w -X main.version=$version" -o "dist/$platform/$1$suffix" "$2"
    TZ=UTC touch -t 202001010000 "dist/$platform/$1$suffix"
  }
  build "terraform-provider-tidemark_v$version" .
  (cd "dist/$platform" && TZ=UTC zip -qX "../terraform-provider-tidemark_${version}_$platform.zip" "terraform-provider-tidemark_v$version$suffix")
  if [ -d cmd/tidemarkctl ]; then
    build tidemarkctl ./cmd/tidemarkctl
    (cd "dist/$platform" && TZ=UTC zip -qX "../tidemarkctl_${version}_$platform.zip" "tidemarkctl$suffix")
  fi
  rm -r "dist/${platform:?}"
done
cp terraform-registry-manifest.json "dist/terraform-provider-tidemark_${version}_manifest.json"
cd dist
sha256sum terraform-provider-tidemark_* > "terraform-provider-tidemark_${version}_SHA256SUMS"
if ls tidemarkctl_* > /dev/null 2>&1; then sha256sum tidemarkctl_*.zip > "tidemarkctl_${version}_SHA256SUMS"; fi
if [ -n "$key" ]; then
  for sums in *_SHA256SUMS; do gpg --batch --yes --local-user "$key" --detach-sign "$sums"; done
else
  echo "release: not signed; give GPG_KEY to sign." >&2
fi
ls -1

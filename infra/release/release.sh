#!/bin/sh
# Gathers what a version consists of into a folder, with checksums. `make release` has built the jars before.
# Usage: release.sh VERSION FOLDER HELM; environment: REGISTRY, JAVA_IMAGE, FLINK_IMAGE, GPG_KEY, MAVEN.
set -eu
version=$1
target=$2
helm=$3
maven=${MAVEN:-mvn -q -B}
root=$(cd "$(dirname "$0")/../.." && pwd)
cyclonedx_maven=2.9.1
cyclonedx_gomod=v1.9.0

rm -rf "$target"
mkdir -p "$target"

set -- -Dimages.tag="$version"
[ -z "${JAVA_IMAGE:-}" ] || set -- "$@" -Dimages.java="$JAVA_IMAGE"
[ -z "${FLINK_IMAGE:-}" ] || set -- "$@" -Dimages.flink="$FLINK_IMAGE"
if [ -n "${REGISTRY:-}" ]; then
  echo "Images to $REGISTRY, for amd64 and arm64 ..."
  $maven -f "$root/infra/images/pom.xml" package jib:build -Dimages.registry="${REGISTRY%/}/" -Djib.from.platforms=linux/amd64,linux/arm64 "$@"
else
  echo "Images as tarballs ..."
  images="$target/tidemark_${version}_images"
  mkdir "$images"
  $maven -f "$root/infra/images/pom.xml" package jib:buildTar -Dimages.directory="$images" "$@"
fi

echo "Chart ..."
"$helm" package "$root/infra/helm/tidemark" --version "$version" --app-version "$version" --destination "$target" > /dev/null

echo "Provider and tidemarkctl ..."
"$root/terraform/provider/release.sh" "$version" "${GPG_KEY:-}" > /dev/null
cp "$root"/terraform/provider/dist/* "$target"

echo "Bills of materials ..."
for project in platform-api flink-jobs infra/provision; do
  $maven -f "$root/$project/pom.xml" "org.cyclonedx:cyclonedx-maven-plugin:$cyclonedx_maven:makeAggregateBom" \
    -DoutputDirectory="$target" -DoutputName="$(basename "$project").cdx" -DoutputFormat=json -DincludeTestScope=false
done
(cd "$root/web-console" && npm sbom --package-lock-only --sbom-format=cyclonedx) | node "$root/infra/release/without-development.mjs" > "$target/web-console.cdx.json"
(cd "$root/terraform/provider" && go run "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$cyclonedx_gomod" mod -json -output "$target/terraform-provider.cdx.json" 2> /dev/null)

cd "$target"
find . -type f ! -name SHA256SUMS | sed 's#^\./##' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS
if [ -n "${GPG_KEY:-}" ]; then gpg --batch --yes --local-user "$GPG_KEY" --detach-sign SHA256SUMS; fi
cat SHA256SUMS

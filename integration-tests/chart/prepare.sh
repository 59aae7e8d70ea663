#!/bin/sh
# Builds what `make test-helm` needs, once, into a folder: helm and kubectl and kube-apiserver from their Go modules (about 20
# minutes on two cores), etcd from Debian, the CustomResourceDefinitions of the Flink, Strimzi and Prometheus operators from their artifacts.
# Usage: prepare.sh FOLDER [helm]; with helm, helm alone.
set -eu
tools=$1
helm=v3.22.0
kubernetes=1.34.3
flink_operator=1.10.0
strimzi=1.2.0
prometheus_operator=v0.85.0
mkdir -p "$tools/source" "$tools/crds"

if [ ! -x "$tools/helm" ]; then
  echo "Building helm $helm from its Go module (once; some minutes) ..."
  rm -rf "$tools/source/helm" && mkdir "$tools/source/helm" && cd "$tools/source/helm"
  printf '//go:build tools\n\npackage tools\n\nimport _ "helm.sh/helm/v3/cmd/helm"\n' > tools.go
  go mod init tools 2>/dev/null
  go get "helm.sh/helm/v3/cmd/helm@$helm" 2>/dev/null
  nice -n 15 go build -p=1 -o "$tools/helm" helm.sh/helm/v3/cmd/helm
fi
[ "${2:-}" != helm ] || exit 0

if [ ! -x "$tools/kube-apiserver" ] || [ ! -x "$tools/kubectl" ]; then
  echo "Building kube-apiserver and kubectl $kubernetes from their Go module (once; about 15 minutes) ..."
  rm -rf "$tools/source/kubernetes" && mkdir "$tools/source/kubernetes" && cd "$tools/source/kubernetes"
  # The module takes its parts from folders beside it; as a dependency it needs their versions.
  parts=$(go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
  {
    printf 'module tools\n\ngo 1.24.0\n\ngodebug default=go1.24\n\nrequire k8s.io/kubernetes v%s\n\nreplace (\n' "$kubernetes"
    sed -n "s#^\t\(k8s.io/[a-z-]*\) => ./staging.*#\t\1 => \1 v0.${kubernetes#*.}#p" "$parts"
    printf ')\n'
  } > go.mod
  version=k8s.io/component-base/version
  nice -n 15 go build -mod=mod -p=1 -o "$tools/" \
    -ldflags "-s -w -X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=34" \
    k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kubectl
fi

if [ ! -x "$tools/etcd" ]; then
  echo "Fetching etcd, the package of Debian (once) ..."
  rm -rf "$tools/source/etcd" && mkdir "$tools/source/etcd" && cd "$tools/source/etcd"
  apt-get -qq download etcd-server 2>/dev/null
  dpkg -x etcd-server_*.deb .
  cp usr/bin/etcd "$tools/etcd"
fi

if [ ! -s "$tools/crds/prometheusrules.yaml" ]; then
  module=$(go mod download -json "github.com/prometheus-operator/prometheus-operator@$prometheus_operator" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
  for kind in podmonitors prometheusrules; do
    cp "$module/example/prometheus-operator-crd/monitoring.coreos.com_$kind.yaml" "$tools/crds/$kind.yaml"
    chmod u+w "$tools/crds/$kind.yaml"
  done
fi

if [ ! -s "$tools/crds/kafkausers.yaml" ]; then
  echo "Writing the operators' CustomResourceDefinitions (once) ..."
  cd "$tools/source"
  for artifact in "org.apache.flink:flink-kubernetes-operator-api:$flink_operator" "io.strimzi:crd-generator:$strimzi" "io.strimzi:api:$strimzi"; do
    mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -Dartifact="$artifact" -DoutputDirectory="$tools/source" -Dmdep.overWriteReleases=true
  done
  # The newest operator that is published as an artifact knows Flink up to 1.20; newer ones take v2_2.
  unzip -p "flink-kubernetes-operator-api-$flink_operator.jar" META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml |
    sed 's/^\( *\)- v1_20$/\1- v1_20\n\1- v2_2/' > "$tools/crds/flinkdeployments.yaml"
  # Strimzi's generator is written for Java 21.
  java=
  for candidate in "${JAVA_21_HOME:-}/bin/java" /usr/lib/jvm/*/bin/java; do
    if [ -x "$candidate" ] && "$candidate" -version 2>&1 | grep -qE 'version "(2[1-9]|[3-9][0-9])'; then java=$candidate; fi
  done
  [ -n "$java" ] || { echo "Strimzi's CustomResourceDefinitions are written by a Java 21 or newer; name one in JAVA_21_HOME." >&2; exit 1; }
  model=io.strimzi.api.kafka.model
  "$java" -cp "crd-generator-$strimzi.jar:api-$strimzi.jar" io.strimzi.crdgenerator.CrdGenerator --yaml \
    "$model.kafka.Kafka=$tools/crds/kafkas.yaml" "$model.nodepool.KafkaNodePool=$tools/crds/kafkanodepools.yaml" \
    "$model.user.KafkaUser=$tools/crds/kafkausers.yaml"
fi

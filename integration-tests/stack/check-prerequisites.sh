#!/bin/sh
# Says in one line each what is missing on this machine before anything is built or started. Exit code 1 when something is.
# Usage: check-prerequisites.sh [tool ...]   tools: jdk maven node npm go terraform python curl memory disk
faults=0
fault() {
  echo "prerequisite: $*" >&2
  faults=1
}

newest() { # newest WANTED FOUND: true when FOUND is at least WANTED
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

check_jdk() {
  java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
  found=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9.]*\).*/\1/p' | head -n 1)
  case "$found" in
    17 | 17.*) ;;
    "") fault "no Java found. Install a JDK 17 (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME to one." ;;
    *) fault "Java $found found, but the engines need JDK 17. Set JAVA_HOME to a JDK 17." ;;
  esac
  if [ -n "$found" ] && ! "${JAVA_HOME:+$JAVA_HOME/bin/}javac" -version > /dev/null 2>&1; then
    fault "a Java runtime without compiler found. Install the whole JDK 17 (Debian: openjdk-17-jdk-headless)."
  fi
}

check_maven() {
  found=$(mvn -v 2> /dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p' | head -n 1)
  if command -v mvn > /dev/null 2>&1 && [ -z "$found" ]; then
    fault "Maven does not start; the message of 'mvn -v' says why (often the Java it finds)."
  elif [ -z "$found" ]; then
    fault "Maven not found. Install Maven 3.8 or newer (Debian: apt-get install maven)."
  elif ! newest 3.8 "$found"; then
    fault "Maven $found found; 3.8 or newer is needed."
  fi
}

check_node() {
  found=$(node --version 2> /dev/null | sed 's/^v//')
  if [ -z "$found" ]; then
    fault "Node.js not found. Install Node.js 20.19 or newer."
  elif ! newest 20.19 "$found"; then
    fault "Node.js $found found; 20.19 or newer is needed."
  fi
}

check_npm() {
  if ! npm --version > /dev/null 2>&1; then
    fault "npm not found: the console's types are made and checked with it. It comes with Node.js (Debian: apt-get install npm)."
  fi
}

check_go() {
  found=$(go version 2> /dev/null | sed -n 's/.*go\([0-9][0-9.]*\).*/\1/p')
  if [ -z "$found" ]; then
    fault "Go not found. Install Go 1.26 or newer: the Compose file's test and the Terraform provider need it."
  elif ! newest 1.26 "$found"; then
    fault "Go $found found; 1.26 or newer is needed."
  fi
}

check_terraform() {
  # A configuration file that is named but missing makes every command warn; the version is told all the same.
  found=$(terraform version 2> /dev/null | sed -n 's/^Terraform v\([0-9.]*\).*/\1/p' | head -n 1)
  if [ -z "$found" ]; then
    fault "terraform not found. Install Terraform 1.11 or newer and put it on the PATH: the provider's tests run it."
  elif ! newest 1.11 "$found"; then
    fault "Terraform $found found; 1.11 or newer is needed."
  fi
}

check_python() {
  if ! "${PYTHON:-python3}" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then
    fault "Python 3.10 or newer with venv not found: a test reads the lake with PyIceberg. Debian: apt-get install python3-venv."
  fi
}

check_curl() {
  if ! curl --fail-with-body --version > /dev/null 2>&1; then
    fault "curl 7.76 or newer not found: a test runs the examples of the APIs. Debian: apt-get install curl."
  fi
}

check_memory() {
  total=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo 2> /dev/null)
  if [ -z "$total" ]; then
    fault "this is not Linux: the embedded stack needs Linux on x86-64. Elsewhere use docker-compose.yml."
  elif [ "$total" -lt 8000000 ]; then
    fault "the machine has $((total / 1024)) MiB of memory; the stack needs 8 GiB."
  fi
}

check_disk() {
  free=$(df -Pm . | awk 'NR == 2 { print $4 }')
  if [ "$free" -lt 4096 ]; then
    fault "only $free MiB are free on this disk; building and running need 4 GiB."
  fi
}

for tool in "${@:-jdk}"; do
  case "$tool" in
    jdk | maven | node | npm | go | terraform | python | curl | memory | disk) "check_$tool" ;;
    *) fault "unknown tool $tool in check-prerequisites.sh" ;;
  esac
done
exit $faults

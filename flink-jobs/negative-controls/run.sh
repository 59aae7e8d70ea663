#!/usr/bin/env bash
# Breaks one guarantee at a time in a copy of the sources and runs the tests that its patch names: each must fail.
# Exit code 1 when one of them passes, or when a patch does not fit the sources any more. Usage: run.sh [NAME ...] (MAVEN: the command; a name may be a pattern)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
export GIT_CEILING_DIRECTORIES=${copy%/*}

(cd "$root" && git ls-files -z --cached --others --exclude-standard -- flink-jobs platform-api infra docs |
  tar --null --files-from=- --create) | tar --extract --directory "$copy"
cd "$copy"

modules_of() { # modules_of PROJECT TEST: the folder of its sources in the project
  (cd "$1" && find . -path '*/src/test/java/*' -name "$2.java" -printf '%P\n' | sed -E 's|/?src/test/java/.*||; s|^$|.|')
}

unchecked='-XepDisableAllChecks -XepOpt:NullAway:OnlyNullMarked=true' # What the compiler would say of a broken source is not asked.
faults=0 ran=0
for patch in "$here"/*.patch; do
  name=$(basename "$patch" .patch)
  is_chosen=$([[ $# == 0 ]] && echo yes || true)
  # shellcheck disable=SC2053 # A pattern.
  for chosen in "$@"; do [[ $name == $chosen ]] && is_chosen=yes; done
  [[ $is_chosen ]] || continue
  ran=$((ran + 1))
  read -ra tests < <(sed -n 's/^Tests: //p' "$patch")
  git apply "$patch" || { echo "$name: does not fit the sources any more; make it anew"; faults=$((faults + 1)); continue; }
  selected=$(printf '%s\n' "${tests[@]/./#}" | paste -sd,)
  project=flink-jobs
  if grep -q '^--- a/platform-api/' "$patch"; then project=platform-api; fi
  if grep -q '^--- a/infra/provision/' "$patch"; then project=infra/provision; fi
  modules=$(for test in "${tests[@]}"; do modules_of "$project" "${test%%.*}"; done | sort -u | paste -sd,)
  ${MAVEN:-mvn -q -B} -f "$project/pom.xml" test -pl "$modules" -am "-Dtest=$selected" -Dsurefire.failIfNoSpecifiedTests=false \
    -Dmaven.test.failure.ignore=true -Dspotless.check.skip=true -Derror-prone.checks=-XepDisableAllChecks "-Dnull.checks=$unchecked" >"$name.log" 2>&1 || true
  for test in "${tests[@]}"; do
    if grep -qE "\.${test/./\\.}[ (].*<<< (FAILURE|ERROR)!" "$name.log"; then
      echo "$name: $test fails, as it must"
    else
      tail -n 20 "$name.log"
      echo "$name: $test DID NOT FAIL"
      faults=$((faults + 1))
    fi
  done
  git apply --reverse "$patch"
done
[[ $ran != 0 ]] || echo "No control is named so: $*"
[[ $faults == 0 && $ran != 0 ]]

#!/bin/sh
# Runs every suite of every project, names what failed, and sums all in one last line: N passed, N failed.
# A suite whose build breaks counts as one failure; a suite that ran no test does too. Nothing is skipped.
# Tests that wait leave cores to others: suites run in a row beside the console and platform-api, tests of the jobs and of Go beside the real stack.
# What runs beside gives way (nice), and prints when it has ended.
# Usage: run-all.sh [SUITE...]: only these, by the name that "== " prints, such as platform-api.
cd "$(dirname "$0")/.." || exit 2
root=$PWD
results=$root/.tidemark/test-results
rm -rf "$results"
mkdir -p "$results"

wanted=" $* "
wants() { # wants NAME: whether the suite is to run; what is built for one goes with it
  part=${1%/build}
  [ "$wanted" = "  " ] || case $wanted in *" $1 "* | *" ${part%/tools} "*) true ;; *) false ;; esac
}

count() { # count NAME EXIT PASSED FAILED
  if [ "$2" -ne 0 ] && [ "$4" -eq 0 ]; then
    set -- "$1" "$2" "$3" 1
    echo "  $1: the suite ended with exit code $2; see above."
    echo "$1: exit code $2" >> "$results/failed"
  elif [ "$3" -eq 0 ] && [ "$4" -eq 0 ]; then
    set -- "$1" "$2" 0 1
    echo "  $1: no test ran."
    echo "$1: no test ran" >> "$results/failed"
  fi
  echo "$3 $4" >> "$results/counts"
  echo "  $1: $3 passed, $4 failed ($(($(date +%s) - began)) s$(busy))"
}

begin() { # begin NAME: a suite starts
  echo "== $1"
  began=$(date +%s)
  cores=$(head -n 1 /proc/stat 2>/dev/null)
}

busy() { # busy: how busy the machine's cores were since the suite began, where the system says it
  [ -z "$cores" ] || { echo "$cores"; head -n 1 /proc/stat; } | awk '
    { idle = $5 + $6; all = 0; for (i = 2; i <= 9; i++) all += $i }
    NR == 1 { idle_before = idle; all_before = all }
    END { if (all > all_before) printf ", cores %d %% busy", 100 - 100 * (idle - idle_before) / (all - all_before) }'
}

maven_suite() { # maven_suite NAME PROJECT FOLDER... -- GOAL... [OPTION...]: counts the reports that Maven writes below the folders
  wants "$1" || return 0
  begin "$1"
  name=$1
  project=$2
  shift 2
  mark=$results/$(echo "$name" | tr / -)
  touch "$mark"
  folders=
  while [ "$1" != -- ]; do
    folders="$folders $1"
    shift
  done
  shift
  mvn -q -B -f "$project/pom.xml" -Dmaven.test.failure.ignore=false --fail-at-end "$@"
  code=$?
  # shellcheck disable=SC2086
  find $folders -name 'TEST-*.xml' \( -path '*surefire-reports*' -o -path '*failsafe-reports*' \) -newer "$mark" -exec cat {} + > "$mark.xml"
  failed_of_maven "$name" < "$mark.xml" >> "$results/failed"
  # Each report's first <testsuite …> element carries its counts.
  # shellcheck disable=SC2046
  set -- $(grep -o '<testsuite [^>]*>' "$mark.xml" | awk '
      function attribute(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : 0 }
      { tests += attribute("tests"); bad += attribute("errors") + attribute("failures") + attribute("skipped") }
      END { print tests - bad, bad + 0 }')
  count "$name" "$code" "$1" "$2"
}

failed_of_maven() { # failed_of_maven NAME: the tests of reports that failed or were skipped, a line each
  grep -o '<testcase [^>]*>\|<failure\|<error\|<skipped' | awk -v suite="$1" '
    function attribute(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
    /^<testcase/ { class = attribute("classname"); test = class "." attribute("name"); next }
    test != "" { print suite ": " test; test = "" }'
}

go_suite() { # go_suite FOLDER
  wants "$1" || return 0
  begin "$1"
  (cd "$1" && go vet ./... && go test -count=1 -json ./...) > "$results/go.json" 2> "$results/go.err"
  code=$?
  ok=$(grep '"Action":"pass"' "$results/go.json" | grep -c '"Test":')
  bad=$(grep '"Action":"\(fail\|skip\)"' "$results/go.json" | grep -c '"Test":')
  grep '"Action":"\(fail\|skip\)"' "$results/go.json" | sed -n "s|.*\"Test\":\"\([^\"]*\)\".*|$1: \1|p" >> "$results/failed"
  if [ "$code" -ne 0 ]; then
    cat "$results/go.err"
    sed -n 's/.*"Output":"\(.*\)"}$/\1/p' "$results/go.json" | sed 's/\\n$//; s/\\t/  /g' | tail -n 60
  fi
  count "$1" "$code" "$ok" "$bad"
}

npm_suite() { # npm_suite FOLDER
  wants "$1" || return 0
  begin "$1"
  (cd "$1" && npm ci --silent --no-audit --no-fund && npm test --silent) > "$results/npm.out" 2>&1
  code=$?
  [ "$code" -eq 0 ] || tail -n 60 "$results/npm.out"
  grep '^not ok \|^ok .*# \(SKIP\|TODO\)' "$results/npm.out" | sed "s|^|$1: |" >> "$results/failed"
  count "$1" "$code" "$(lines '^ok ' '# SKIP\|# TODO')" "$(($(grep -c '^not ok ' "$results/npm.out") + $(grep -c '^ok .*# \(SKIP\|TODO\)' "$results/npm.out")))"
}

lines() { # lines PATTERN BUT: how many lines of what the suite printed have the first and not the second
  grep "$1" "$results/npm.out" | grep -vc "$2"
}

shell_suite() { # shell_suite NAME COMMAND...
  wants "$1" || return 0
  begin "$1"
  name=$1
  shift
  if "$@"; then
    count "$name" 0 1 0
  else
    echo "$name" >> "$results/failed"
    count "$name" 1 0 1
  fi
}

give_way() { # give_way NICENESS: of all that this process starts from now on
  sh -c 'renice -n "$1" -p "$PPID"' - "$1" > /dev/null 2>&1
}

build_jobs() { # The stack runs the jobs' jars, and replaces a job whose jar differs: their tests beside it do not pack again.
  mvn -q -B -f flink-jobs/pom.xml package -DskipTests
}

prepare() { # What tests on the stack would otherwise fetch and build while others wait for them.
  integration-tests/lake/prepare.sh "$root/.tidemark/python/lake" &&
    integration-tests/lake/prepare.sh "$root/.tidemark/python/clients" integration-tests/clients/python/requirements.txt &&
    (cd integration-tests/console && npm ci --silent --no-audit --no-fund --ignore-scripts) &&
    for tests in integration-tests/terraform integration-tests/clients; do
      (cd $tests && go test -count=1 -exec true ./...) || return 1
    done > /dev/null
}

start=$(date +%s)
: > "$results/counts"
shell_suite names infra/check-names.sh
wants platform-api || shell_suite integration-tests/build make -s build # The stack runs what is here now.
{
  give_way 5
  shell_suite engines make -s engines
  shell_suite flink-jobs/build build_jobs
  # Provisioning, the lifecycle, and what of integration-tests needs no stack.
  maven_suite infra/provision integration-tests infra/provision integration-tests -- verify -DskipITs
  shell_suite integration-tests/tools prepare
} > "$results/beside-platform.out" 2>&1 &
npm_suite integration-tests/contracts
npm_suite web-console # Builds the pages that platform-api packs.
rm -rf platform-api/app/target/classes/static/console
maven_suite platform-api platform-api platform-api -- verify -DforkCount=2 -Dit.processes=2
wait
cat "$results/beside-platform.out"
{
  give_way 10
  maven_suite flink-jobs flink-jobs flink-jobs -- test-compile surefire:test failsafe:integration-test failsafe:verify spotless:check
  go_suite terraform/provider
  go_suite integration-tests/compose
  go_suite integration-tests/chart
  go_suite integration-tests/observability
} > "$results/beside-stack.out" 2>&1 &
if wants infra/provision; then
  maven_suite integration-tests integration-tests integration-tests -- verify -Dstack.compilers=first \
    -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false
else
  maven_suite integration-tests integration-tests infra/provision integration-tests -- verify -Dstack.compilers=first
fi
wait
cat "$results/beside-stack.out"
echo "All suites took $(($(date +%s) - start)) s."
[ ! -s "$results/failed" ] || { echo "Failed or skipped:" && sed 's/^/  /' "$results/failed"; }
awk '{ passed += $1; failed += $2 } END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' "$results/counts"

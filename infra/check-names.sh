#!/usr/bin/env bash
# House rules that no compiler sees. Prints one line per fault; exit code 1 when there is one, 2 when it cannot look.
#   names  no folder, package or source file called (or, for a class, ending in) util, common, helper, misc, base, manager
#   roles  a type is named for what it is: no source file begins with Know, Tell, Kept, Asking, Collecting and the like
#          and no type inside a Java file by such a verb alone (Seen, Kept, Told) or Place
#   words  what is bounded is max or min: no constant, name or setting has GREATEST_, greatest-, mostBytes and the like
#   builds a version that several poms name has the same number in each
#   links  every relative link in a Markdown file leads to a tracked file or folder, and every #anchor to a heading
#   tests  every test a page names as a guard, such as `MainPathIT` or `TestLimitsFitTogether`, is there
#   guide  every class that where-to-look.md names is there under that name, in main code
#   pages  every folder at depth one and two says what it is for: README.md or package-info.java
# Looks at tracked files and at new ones that are not ignored. Usage: infra/check-names.sh [folder of the repository]
set -euo pipefail
export LC_ALL=C.UTF-8

root=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git ls-files --cached --others --exclude-standard >"$work/listed" ||
  { echo "check-names: $root is not a git working tree" >&2; exit 2; }
# A file that was deleted but not yet committed is still listed: it must not satisfy a link.
while IFS= read -r file; do [[ -e $file ]] && printf '%s\n' "$file"; done <"$work/listed" | sort -u >"$work/files"
[[ -s $work/files ]] || { echo "check-names: no files found in $root" >&2; exit 2; }
awk -F/ '{ p = ""; for (i = 1; i < NF; i++) { p = p (i > 1 ? "/" : "") $i; print p } }' "$work/files" | sort -u >"$work/folders"

# ---- names
# Allowed, with the reason:
#   infra/druid/_common       Druid reads its shared settings from a folder of this name
#   …JobManager, …TaskManager Flink's own words for its processes
awk -F/ '
  function fault(path, word) { print path ": \"" word "\" says nothing; name it after what it does" }
  function empty(word) { return tolower(word) ~ /^_?(utils?|commons?|helpers?|misc|base|managers?)$/ }
  FILENAME == ARGV[1] {
    if ($0 != "infra/druid/_common" && empty($NF)) fault($0, $NF)
    next
  }
  {
    stem = $NF; sub(/\.[^.]*$/, "", stem)
    kind = $NF; sub(/^.*\./, "", kind)
    if (empty(stem)) { fault($0, stem); next }
    if (kind !~ /^(java|kt|go|ts|tsx|js|py|sh|proto)$/ || stem ~ /(Job|Task)Manager(IT|Test)?$/) next
    plain = stem; sub(/(IT|Tests?|_test)$/, "", plain)
    if (match(plain, /[a-z0-9](Utils?|Commons?|Helpers?|Misc|Managers?)$/)) fault($0, substr(plain, RSTART + 1))
    else if (match(plain, /[-_](utils?|commons?|helpers?|misc|base|managers?)$/)) fault($0, substr(plain, RSTART + 1))
  }
' "$work/folders" "$work/files" >>"$work/faults"

# ---- roles
# Verbs of telling and keeping, and gerunds that name an activity instead of a role.
sed -nE 's#^(.*/((Know|Known|Tell|Told|Keep|Kept|Note|Noted|Forget|Forgetting|Heard|Drawn|Shown|Asking|Stating|Collecting|Reading|Remembered|Remembering|Managing|Listing|Issuing|Receiving|Publishing|Describing|Exporting|Evaluating|Discovering|Advancing|Beginning|Refusing|Browsing|Querying|Following)[A-Z][A-Za-z0-9]*)\.(java|tsx?|go))$#\1 \2#p' \
  "$work/files" | while read -r path name; do
  case $name in ReadingHistory | ReadingHistoryTest | ReadingRequest) continue ;; esac # readings of counters
  echo "$path: \"$name\" names an activity; name the role: QueryExecutor, LoadRules, ApiKeyRepository"
done >>"$work/faults"

# UsageIncrement.Place is a name in savepoints.
grep -E '\.java$' "$work/files" | xargs -r grep -noE '\b(class|record|interface|enum) (Know|Known|Tell|Told|Keep|Keeping|Kept|Note|Noted|Forget|Forgetting|Heard|Drawn|Shown|Said|Seen|Asked|Asking|Stating|Collecting|Reading|Remembered|Remembering|Managing|Listing|Refusing|Browsing|Querying|Following|Holding|Place)([A-Z][A-Za-z0-9]*)?\b' /dev/null >"$work/found" || true
while IFS=: read -r path line found; do
  name=${found##* }
  case $path:$name in *:ReadingHistory | *:ReadingHistoryTest | *:ReadingRequest | */UsageIncrement.java:Place) continue ;; esac
  echo "$path:$line: \"$name\" names an activity or a place; name the role: EnvironmentRef, SourcePosition, StoredQuotas"
done <"$work/found" >>"$work/faults"

# ---- words
# Wire names and texts for people may say "most" and "least"; a name says max and min.
grep -E '\.(java|tsx?|yaml)$' "$work/files" | grep -vE '^platform-api/contracts/|\.gen\.' |
  xargs -r grep -noE '\b(GREATEST|MOST)_[A-Z]+|\b(greatest|most)[A-Z][A-Za-z]*|^ *greatest-[a-z-]+:' /dev/null >"$work/found" || true
while IFS=: read -r path line found; do
  echo "$path:$line: \"${found# }\" is a bound; name it max"
done <"$work/found" >>"$work/faults"

# ---- builds
# Different on purpose: Flink's log4j speaks slf4j 1; Jackson in jobs is Flink's choice, in provisioning that of the Kafka broker under test.
grep -E '(^|/)pom\.xml$' "$work/files" | xargs -r grep -oE '<[a-z0-9.-]+\.version>[^<$]+' /dev/null | sed 's/^[^:]*:<//' | sort -u |
  awk -F'>' '$1 !~ /^(slf4j|jackson)\.version$/ { number[$1]++; all[$1] = all[$1] " " $2 }
    END { for (name in number) if (number[name] > 1) print "pom.xml: " name " has several numbers:" all[name] }' >>"$work/faults"

# ---- links
# One line per link: file <tab> line <tab> target. Code blocks and code spans hold examples, not links.
grep -E '\.md$' "$work/files" >"$work/pages" || true
while IFS= read -r page; do
  awk -v page="$page" '
    /^[ \t]*(```|~~~)/ { code = !code; next }
    code { next }
    {
      line = $0
      gsub(/`[^`]*`/, "", line)
      while (match(line, /\]\([^()[:space:]]+([[:space:]]+"[^"]*")?\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        sub(/[[:space:]]+".*"$/, "", target)
        print page "\t" NR "\t" target
        line = substr(line, RSTART + RLENGTH)
      }
    }' "$page"
done <"$work/pages" >"$work/links"

# The anchors of each page, as the usual renderers make them: lower case, punctuation dropped, blanks to dashes; and those
# that generated pages write themselves, <a id="...">.
while IFS= read -r page; do
  awk -v page="$page" '
    /^[ \t]*(```|~~~)/ { code = !code; next }
    !code && match($0, /<a id="[^"]+">/) { print page "#" substr($0, RSTART + 7, RLENGTH - 9) }
    !code && /^#+[ \t]/ {
      heading = $0
      sub(/^#+[ \t]+/, "", heading); sub(/[ \t]+#*$/, "", heading)
      while (match(heading, /\]\([^)]*\)/)) heading = substr(heading, 1, RSTART - 1) substr(heading, RSTART + RLENGTH)
      heading = tolower(heading)
      gsub(/[^a-z0-9 _-]/, "", heading)
      gsub(/ /, "-", heading)
      again = seen[heading]++
      print page "#" heading (again ? "-" again : "")
    }' "$page"
done <"$work/pages" | sort -u >"$work/anchors"

while IFS=$'\t' read -r page line target; do
  case $target in
    http://* | https://* | mailto:*) continue ;;
    /*) echo "$page:$line: link $target is absolute; write it relative to the page"; continue ;;
  esac
  path=${target%%#*}
  anchor=""
  [[ $target == *#* ]] && anchor=${target#*#}
  if [[ -z $path ]]; then
    found=$page
  else
    found=$(realpath -m --relative-to=. "$(dirname "$page")/$path")
    if ! grep -qxF -- "$found" "$work/files" "$work/folders"; then
      echo "$page:$line: link $target leads nowhere ($found is not in the repository)"
      continue
    fi
  fi
  if [[ -n $anchor && $found == *.md ]] && ! grep -qxF -- "$found#$anchor" "$work/anchors"; then
    echo "$page:$line: link $target names no heading of $found"
  fi
done <"$work/links" >>"$work/faults"

# ---- tests
# Java classes are files of their name; Go tests are functions.
grep -E '_test\.go$' "$work/files" | xargs -r grep -hoE '^func Test[A-Za-z0-9_]+' | sed 's/^func //' >"$work/tests" || true
sed -nE 's#^.*/([A-Za-z0-9]+)\.java$#\1#p' "$work/files" >>"$work/tests"
xargs -r grep -noE '`(Test[A-Z][A-Za-z0-9]+|[A-Z][A-Za-z0-9]+(Test|Tests|IT))`' /dev/null <"$work/pages" | tr -d '`' |
  while IFS=: read -r page line name; do
    grep -qxF -- "$name" "$work/tests" || echo "$page:$line: there is no test $name"
  done >>"$work/faults"

# ---- guide
guide=docs/contributing/where-to-look.md
if [[ -f $guide ]]; then
  sed -nE 's#^.*/src/main/.*/([A-Za-z0-9]+)\.java$#\1#p' "$work/files" | sort -u >"$work/main"
  grep -noE '`[A-Z][A-Za-z]+(\.[A-Z][A-Za-z]+)?`' "$guide" | tr -d '`' | while IFS=: read -r line name; do
    grep -qxF -- "${name%%.*}" "$work/main" || echo "$guide:$line: there is no class $name"
  done >>"$work/faults"
fi

# ---- pages
# Dot folders belong to tools.
while IFS= read -r folder; do
  [[ $folder == .* || $folder == */.* || $folder == */*/* ]] && continue
  [[ ${folder##*/} == src ]] && continue # the module above it has the page
  # The package-info of a Java module's root package says it too.
  grep -qE "^$folder/(README\.md|src/main/java/([a-z]+/)+package-info\.java)$" "$work/files" ||
    echo "$folder: no README.md or package-info.java says what belongs here"
done <"$work/folders" >>"$work/faults"

if [[ -s $work/faults ]]; then
  cat "$work/faults"
  exit 1
fi

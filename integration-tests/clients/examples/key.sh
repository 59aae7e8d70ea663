# What every example needs: the address of the APIs, and a key with the scope metrics:read.
set -eu
: "${TIDEMARK_URL:?the address of the APIs, for example http://localhost:8080}"
: "${TIDEMARK_KEY_ID:?the id of an API key}" "${TIDEMARK_KEY_SECRET:?its secret}"
# tidemark PATH [CURL OPTIONS]: fails with the answer's text unless the answer is 2xx. After a 429 or
# 5xx it asks again when Retry-After says, until a minute has passed.
tidemark() {
  path=$1
  shift
  curl -sS --fail-with-body --retry 10 --retry-max-time 60 --globoff -u "$TIDEMARK_KEY_ID:$TIDEMARK_KEY_SECRET" "$@" "$TIDEMARK_URL$path"
  echo
}

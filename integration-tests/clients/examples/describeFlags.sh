#!/bin/sh
# Settings that a client may rely on.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/status/flags

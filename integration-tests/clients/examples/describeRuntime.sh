#!/bin/sh
# The time of the server.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/status/runtimeinfo

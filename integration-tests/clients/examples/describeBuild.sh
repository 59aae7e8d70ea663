#!/bin/sh
# Which features a client may expect.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/status/buildinfo

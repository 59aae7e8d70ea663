#!/bin/sh
# The configuration, which is not a file.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/status/config

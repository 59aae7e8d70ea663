#!/bin/sh
# Alert rules of the organisation; the key needs alerts:read too.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/rules

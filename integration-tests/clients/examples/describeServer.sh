#!/bin/sh
# Whether the address and the key are right.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/

#!/bin/sh
# Exemplars, which are not kept.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/query_exemplars -G --data-urlencode 'query=clients_requests_total'

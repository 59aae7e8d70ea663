#!/bin/sh
# The same, in a form.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/query_exemplars --data-urlencode 'query=clients_requests_total'

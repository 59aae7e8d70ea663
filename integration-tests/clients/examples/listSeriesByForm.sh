#!/bin/sh
# The same, in a form.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/series --data-urlencode 'match[]=clients_requests_total{route=~"/[ab]"}'

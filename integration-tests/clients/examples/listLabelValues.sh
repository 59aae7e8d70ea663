#!/bin/sh
# Values of a label.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/label/route/values -G --data-urlencode 'match[]=clients_requests_total'

#!/bin/sh
# The same, in a form.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/query --data-urlencode 'query=sum by (route) (increase(clients_requests_total[1h]))'

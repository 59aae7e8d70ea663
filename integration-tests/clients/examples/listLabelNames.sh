#!/bin/sh
# Labels of one metric.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/labels -G --data-urlencode 'match[]=clients_requests_total'

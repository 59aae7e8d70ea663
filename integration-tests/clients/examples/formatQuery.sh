#!/bin/sh
# An expression in its usual form.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/format_query -G --data-urlencode 'query=sum(increase(clients_requests_total[60m]))by(route)'

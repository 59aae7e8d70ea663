#!/bin/sh
# The same, in a form.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/format_query --data-urlencode 'query=sum(increase(clients_requests_total[60m]))by(route)'

#!/bin/sh
# Series whose route fits.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/series -G --data-urlencode 'match[]=clients_requests_total{route=~"/[ab]"}'

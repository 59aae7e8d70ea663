#!/bin/sh
# What each route added within the last hour.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/query -G --data-urlencode 'query=sum by (route) (increase(clients_requests_total[1h]))'

#!/bin/sh
# Requests per second over the last hour, minute by minute.
. "$(dirname "$0")/key.sh"
now=$(date +%s)
tidemark /prometheus/api/v1/query_range -G --data-urlencode 'query=sum(rate(clients_requests_total[5m]))' \
  -d "start=$((now - 3600))" -d "end=$now" -d step=1m

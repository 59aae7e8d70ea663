#!/bin/sh
# How many rows the query of each route and minute of the last hour would read.
. "$(dirname "$0")/key.sh"
tidemark /v2/metrics/cloud/estimate -H 'Content-Type: application/json' -d '{
  "aggregations": [{"metric": "clients.requests_total", "agg": "SUM"}],
  "granularity": "PT1M", "group_by": ["metric.route"], "intervals": ["PT1H/now"], "limit": 100}'

#!/bin/sh
# Sums of each route in each minute of the last hour.
. "$(dirname "$0")/key.sh"
tidemark /v2/metrics/cloud/query -H 'Content-Type: application/json' -d '{
  "aggregations": [{"metric": "clients.requests_total", "agg": "SUM"}],
  "filter": {"field": "resource.kafka.id", "op": "EQ", "value": "lkc-clients"},
  "granularity": "PT1M", "group_by": ["metric.route"], "intervals": ["PT1H/now"], "limit": 100}'

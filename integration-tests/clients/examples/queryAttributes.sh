#!/bin/sh
# Which routes there are.
. "$(dirname "$0")/key.sh"
tidemark /v2/metrics/cloud/attributes -H 'Content-Type: application/json' -d '{
  "metric": "clients.requests_total", "group_by": ["metric.route"], "intervals": ["PT1H/now"]}'

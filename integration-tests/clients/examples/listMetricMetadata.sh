#!/bin/sh
# Type and unit of a metric.
. "$(dirname "$0")/key.sh"
tidemark '/prometheus/api/v1/metadata?metric=clients_requests_total'

#!/bin/sh
# The newest complete minute of a cluster, as text for Prometheus.
. "$(dirname "$0")/key.sh"
tidemark '/v2/metrics/cloud/export?resource.kafka.id=lkc-clients' -H 'Accept: text/plain;version=0.0.4'

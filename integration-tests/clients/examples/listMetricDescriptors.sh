#!/bin/sh
# What can be asked about Kafka clusters.
. "$(dirname "$0")/key.sh"
tidemark '/v2/metrics/cloud/descriptors/metrics?resource_type=kafka&page_size=1000'

#!/bin/sh
# What a Prometheus is to scrape.
. "$(dirname "$0")/key.sh"
tidemark '/v2/metrics/cloud/discovery?resource_type=kafka'

#!/bin/sh
# Which types of resources send metrics.
. "$(dirname "$0")/key.sh"
tidemark '/v2/metrics/cloud/descriptors/resources'

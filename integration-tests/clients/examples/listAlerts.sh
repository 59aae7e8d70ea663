#!/bin/sh
# What is pending or firing; the key needs alerts:read too.
. "$(dirname "$0")/key.sh"
tidemark /prometheus/api/v1/alerts

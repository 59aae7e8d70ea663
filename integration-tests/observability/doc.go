// Package observability holds tests of infra/observability: every alert has a runbook and a test, dashboards can be read by anybody's
// Grafana, and what both name is reported.
package observability

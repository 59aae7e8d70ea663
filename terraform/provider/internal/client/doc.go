// Package client calls the control API. Models and operations are generated from platform-api/contracts/openapi; requests,
// retries, versions and problems are written by hand.
package client

//go:generate go run tidemark/terraform/provider/internal/client/generate ../../../../platform-api/contracts/openapi/control-api.yaml ../../../../platform-api/contracts/openapi/metrics-api.yaml .

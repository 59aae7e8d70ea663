// Package vocabulary holds the closed lists of the contracts: what a caller may do, and what a role allows.
// Nothing in it is written by hand; "go generate ./..." writes it from platform-api/contracts/vocabulary.
package vocabulary

//go:generate go run tidemark/terraform/provider/internal/generate ../../../../platform-api/contracts/vocabulary/permissions.yaml permissions.gen.go

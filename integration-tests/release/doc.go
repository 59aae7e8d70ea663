// Package release holds tests only: what `make release` makes of a version is whole, and is refused where it would not be of a tag.
//
// Images go to a registry on loopback, on top of base images that exist for two architectures. No container engine is needed.
package release

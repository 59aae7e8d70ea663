/**
 * Measurements: each prints figures, compares sums with what was sent, and is no part of make test.
 */
package io.tidemark.pipeline.bench;

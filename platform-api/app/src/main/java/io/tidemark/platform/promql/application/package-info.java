/** Evaluates expressions and lists metadata: the use cases of Prometheus' API. No framework. */
package io.tidemark.platform.promql.application;

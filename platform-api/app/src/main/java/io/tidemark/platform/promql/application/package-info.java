/** Evaluates expressions and lists metadata: the use cases of Prometheus' API. No framework. */
@NullMarked
package io.tidemark.platform.promql.application;

import org.jspecify.annotations.NullMarked;

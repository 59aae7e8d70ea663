/** The generated interface of Prometheus' contract, implemented. */
@NullMarked
package io.tidemark.platform.promql.web;

import org.jspecify.annotations.NullMarked;

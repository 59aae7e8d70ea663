/** Cardinality of the control API. */
@NullMarked
package io.tidemark.platform.cardinality.web;

import org.jspecify.annotations.NullMarked;

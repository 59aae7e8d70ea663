/** The part of PromQL that is answered: its text, what it means, and arithmetic of series. Pure. */
@NullMarked
package io.tidemark.platform.promql.domain;

import org.jspecify.annotations.NullMarked;

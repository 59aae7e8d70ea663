/** Rows of the metric store, as far as retention has to do with them. */
@NullMarked
package io.tidemark.platform.retention.druid;

import org.jspecify.annotations.NullMarked;

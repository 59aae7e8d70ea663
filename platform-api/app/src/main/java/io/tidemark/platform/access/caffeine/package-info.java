/** Keeps looked-up keys in memory for a few seconds, so that the hot path spares the database. */
@NullMarked
package io.tidemark.platform.access.caffeine;

import org.jspecify.annotations.NullMarked;

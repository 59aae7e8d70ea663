/** Keys in PostgreSQL, table api_key. */
@NullMarked
package io.tidemark.platform.access.postgres;

import org.jspecify.annotations.NullMarked;

/** Rows of Druid, counted by its broker and removed by tasks of its overlord. */
@NullMarked
package io.tidemark.platform.deletion.druid;

import org.jspecify.annotations.NullMarked;

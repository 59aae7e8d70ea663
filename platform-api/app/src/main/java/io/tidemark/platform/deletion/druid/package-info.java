/** Rows of Druid, counted by its broker and removed by tasks of its overlord. */
package io.tidemark.platform.deletion.druid;

/** Rows of the metric store, as far as retention has to do with them. */
package io.tidemark.platform.retention.druid;

/** What the topic control.metrics.v1 says of metrics, and what rollup rows show of them. */
@NullMarked
package io.tidemark.platform.catalog.kafka;

import org.jspecify.annotations.NullMarked;

/** The memory adapter: rows of recent minutes, read from Kafka as Druid reads them. */
@NamedInterface("recent")
@NullMarked
package io.tidemark.platform.metricstore.recent;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

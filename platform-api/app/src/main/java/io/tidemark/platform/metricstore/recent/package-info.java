/** The memory adapter: rows of recent minutes, read from Kafka as Druid reads them. */
@NamedInterface("recent")
package io.tidemark.platform.metricstore.recent;

import org.springframework.modulith.NamedInterface;

/** The Iceberg adapter: reads intervals that Druid no longer holds from the tables of the lake. */
@NamedInterface("iceberg")
@NullMarked
package io.tidemark.platform.metricstore.iceberg;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

/** The Druid adapter: native queries as JSON trees, and their answers. */
@NamedInterface("druid")
@NullMarked
package io.tidemark.platform.metricstore.druid;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

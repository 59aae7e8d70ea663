/** The Druid adapter: native queries as JSON trees, and their answers. */
@NamedInterface("druid")
package io.tidemark.platform.metricstore.druid;

import org.springframework.modulith.NamedInterface;

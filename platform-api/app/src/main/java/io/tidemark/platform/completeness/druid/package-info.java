/** Asks Druid's coordinator and streaming tasks how far they have read. */
@NamedInterface("druid")
package io.tidemark.platform.completeness.druid;

import org.springframework.modulith.NamedInterface;

/** Asks Druid's coordinator and streaming tasks how far they have read. */
@NamedInterface("druid")
@NullMarked
package io.tidemark.platform.completeness.druid;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

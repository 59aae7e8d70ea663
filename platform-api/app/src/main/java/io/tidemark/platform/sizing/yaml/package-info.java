/** Reads loads, measured costs and prices from YAML. */
@NullMarked
package io.tidemark.platform.sizing.yaml;

import org.jspecify.annotations.NullMarked;

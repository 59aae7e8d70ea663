/** Reads loads, measured costs and prices from YAML. */
package io.tidemark.platform.sizing.yaml;

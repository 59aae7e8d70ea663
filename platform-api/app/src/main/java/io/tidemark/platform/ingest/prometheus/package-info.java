/**
 * Prometheus remote write 1.0 and 2.0: bytes in, one OTLP request out, series by series. Which
 * label becomes what is written in {@code docs/reference/prometheus-remote-write.md}.
 */
@NullMarked
package io.tidemark.platform.ingest.prometheus;

import org.jspecify.annotations.NullMarked;

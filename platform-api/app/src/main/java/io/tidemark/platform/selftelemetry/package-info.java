/**
 * How platform-api reports its own metrics: over OTLP, to an address given by the settings, as any
 * other sender with a key; and to a Prometheus of the operator, on a port of its own. And spans of
 * requests, to a collector of the operator, which other modules record by {@code SpanRecorder}.
 *
 * <p>It does not own what is measured; each module counts for itself. Guarded by {@code
 * SelfTelemetryTest}, {@code ScrapeIT} and {@code TracesIT}.
 */
@ApplicationModule(allowedDependencies = "shared")
@NullMarked
package io.tidemark.platform.selftelemetry;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

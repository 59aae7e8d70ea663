/**
 * How platform-api reports its own metrics: over OTLP, to an address given by the settings, as any
 * other sender with a key.
 *
 * <p>It does not own what is measured; each module counts for itself. Guarded by {@code
 * SelfTelemetryTest}.
 */
@ApplicationModule(allowedDependencies = "shared")
package io.tidemark.platform.selftelemetry;

import org.springframework.modulith.ApplicationModule;

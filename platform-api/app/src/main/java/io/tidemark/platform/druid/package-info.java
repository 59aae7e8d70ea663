/**
 * The HTTP client of Druid: exchanges with a broker, and what their failures mean to a caller.
 *
 * <p>It does not build queries ({@code metricstore}). Guarded by {@code DruidConnectionTest}.
 */
@ApplicationModule(allowedDependencies = {"shared"})
@NullMarked
package io.tidemark.platform.druid;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

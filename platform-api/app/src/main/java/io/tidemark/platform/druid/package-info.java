/**
 * The HTTP client of Druid: exchanges with a broker, and what their failures mean to a caller; and
 * which organisations have datasources of their own.
 *
 * <p>A <em>placement</em> says that an organisation's rows are in datasources of its own from a day
 * on. It does not build queries ({@code metricstore}) and makes no placements: provisioning does.
 * Guarded by {@code DruidConnectionTest} and {@code SupervisedPlacementsTest}.
 */
@ApplicationModule(allowedDependencies = {"shared"})
@NullMarked
package io.tidemark.platform.druid;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

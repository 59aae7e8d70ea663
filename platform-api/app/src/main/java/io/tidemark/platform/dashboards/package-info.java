/**
 * Dashboards of an organisation: what panels show, who changed them, and what they were before.
 *
 * <p>Words: a <em>definition</em> is the JSON that people export and import. A <em>version</em> is
 * a definition with who made it and when; restoring one makes a new version. It reads no metrics:
 * whoever sees a dashboard asks the Metrics API for its series, with rights of their own. Flat.
 * Guarded by {@code DashboardsApiIT} and {@code DashboardDefinitionTest}.
 */
@ApplicationModule(allowedDependencies = {"shared", "audit"})
@NullMarked
package io.tidemark.platform.dashboards;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

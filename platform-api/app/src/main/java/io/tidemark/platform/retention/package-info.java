/**
 * How long data are kept.
 *
 * <p>Words: a <em>policy</em> says for an environment how many days each <em>level</em> (raw
 * points, rows of minutes, hours and days) is kept, with exceptions by metric. A row is
 * <em>expired</em> when its window began before what its policy keeps; {@code RetentionFilter} is
 * the filter that hides such rows from a query. It does not refuse points that are too late (the
 * rollup job does, by the topic {@code control.tenants.v1}); rows are removed from the stores by
 * the module {@code removal}. Flat, but for the rules in {@code RetentionPolicy}. Guarded by {@code
 * RetentionPolicyTest} and {@code RetentionApiIT}.
 */
@ApplicationModule(allowedDependencies = {"druid", "shared", "audit", "tenancy"})
@NullMarked
package io.tidemark.platform.retention;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

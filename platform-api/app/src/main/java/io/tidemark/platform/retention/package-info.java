/**
 * How long data are kept, and what is removed.
 *
 * <p>Words: a <em>policy</em> says for an environment how many days each <em>level</em> (raw
 * points, rows of minutes, hours and days) is kept, with exceptions by metric. A row is
 * <em>expired</em> when its window began before what its policy keeps: it is hidden from queries at
 * once. It does not refuse points that are too late (the rollup job does, by the topic {@code
 * control.tenants.v1}), and does not remove from the lake (the lake job does). Flat, but for the
 * rules in {@code RetentionPolicy}. Guarded by {@code RetentionPolicyTest} and {@code
 * RetentionApiIT}.
 */
@ApplicationModule(allowedDependencies = {"shared", "audit", "tenancy"})
package io.tidemark.platform.retention;

import org.springframework.modulith.ApplicationModule;

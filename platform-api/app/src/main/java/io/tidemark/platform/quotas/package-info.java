/**
 * How much organisations and environments may send.
 *
 * <p>Words: a <em>quota</em> limits requests, bytes or points in a second, over all gateways. What
 * is <em>set</em> can only be below the <em>plan</em>, which the settings give for every
 * organisation; what is <em>in force</em> is the least of both. A <em>budget</em> of series is
 * {@code tenancy}'s and held by the pipeline; here stands who is refused for having exceeded one.
 * It does not count what is sent, nor refuse it: {@code ingest} does. Flat, because its rules are
 * few. The gateway's look-ups have connections of their own. Guarded by {@code QuotasApiIT}, {@code
 * CachedQuotasTest}, {@code SeriesBudgetGateTest} and {@code RowChangeListenerIT}.
 */
@ApplicationModule(allowedDependencies = {"kafka", "shared", "audit", "tenancy", "replicas"})
@NullMarked
package io.tidemark.platform.quotas;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * What rows of a table are read, by columns that files are pruned by. The only place where such
 * filters are made; each begins with the organisation.
 */
final class LakeFilters {

  private static final long MICROS = 1_000;

  private LakeFilters() {}

  static Expression ofOrganization(TenantId organization) {
    return Expressions.equal("organization_id", organization.value());
  }

  static Expression ofMetric(String metric) {
    return Expressions.equal("metric", metric);
  }

  static Expression received(Instant from, Instant to) {
    return Expressions.and(
        Expressions.greaterThanOrEqual("received_at", micros(from)),
        Expressions.lessThan("received_at", micros(to)));
  }

  static Expression measured(Instant from, Instant to) {
    return Expressions.and(
        Expressions.greaterThanOrEqual("event_time", micros(from)),
        Expressions.lessThan("event_time", micros(to)));
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  /** All that can be said without looking at labels. */
  static Expression of(TenantId organization, StoreQuery query) {
    Expression all = ofOrganization(organization);
    if (query.metric().isPresent()) {
      all = Expressions.and(all, ofMetric(query.metric().get()));
    }
    ScanSpec part = query.part();
    if (!part.environments().isEmpty()) {
      all =
          Expressions.and(
              all,
              part.except()
                  ? Expressions.notIn("environment_id", part.environments())
                  : Expressions.in("environment_id", part.environments()));
    }
    Expression times = Expressions.alwaysFalse();
    for (IntervalSet.Span span : part.spans().list()) {
      times =
          Expressions.or(
              times,
              Expressions.and(
                  Expressions.greaterThanOrEqual("event_time", span.from() * MICROS),
                  Expressions.lessThan("event_time", span.to() * MICROS)));
    }
    return Expressions.and(all, times);
  }
}

package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.DailyUse;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Sums over the table usage_entry. */
@Repository
class JdbcUsageSums {

  private static final String FILTER =
      """
       FROM usage_entry
      WHERE organization_id = :organization AND meter = :meter
        AND rated_hour >= :from AND rated_hour < :to
        AND (:environment::text IS NULL OR environment_id = :environment)
        AND (:type::text IS NULL OR resource_type = :type)
        AND (:resource::text IS NULL OR resource_id = :resource)
        AND (:metric::text IS NULL OR metric = :metric)
      """;

  private final JdbcClient jdbc;

  JdbcUsageSums(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  BigDecimal total(TenantId organization, UsageQuery query) {
    return asked(organization, query, "SELECT coalesce(sum(units), 0)" + FILTER)
        .query(BigDecimal.class)
        .single();
  }

  List<UsageSum> page(TenantId organization, UsageQuery query, int after, int most) {
    // Of a closed list; nothing of it comes from a request.
    String columns =
        switch (query.by()) {
          case ENVIRONMENT -> "environment_id, null, null, null, null::timestamptz";
          case RESOURCE -> "null, resource_type, resource_id, null, null::timestamptz";
          case METRIC -> "null, null, null, metric, null::timestamptz";
          case DAY ->
              "null, null, null, null,"
                  + " date_trunc('day', rated_hour AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'";
          case HOUR -> "null, null, null, null, rated_hour";
        };
    return asked(
            organization,
            query,
            "SELECT "
                + columns
                + ", sum(units)"
                + FILTER
                + "GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5 OFFSET :after LIMIT :most")
        .param("after", after)
        .param("most", most)
        .query(
            (row, number) ->
                new UsageSum(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getObject(5) == null
                        ? null
                        : row.getObject(5, OffsetDateTime.class).toInstant(),
                    row.getBigDecimal(6)))
        .list();
  }

  private JdbcClient.StatementSpec asked(TenantId organization, UsageQuery query, String sql) {
    return jdbc.sql(sql)
        .param("organization", organization.value())
        .param("meter", query.meter())
        .param("from", query.from().atOffset(ZoneOffset.UTC))
        .param("to", query.to().atOffset(ZoneOffset.UTC))
        .param("environment", query.environment())
        .param("type", query.resourceType())
        .param("resource", query.resourceId())
        .param("metric", query.metric());
  }

  /**
   * Units of an hour, by the hour that the pipeline metered.
   *
   * @param invoiced those that a closed invoice holds, or a draft will
   * @param oldestMeters lowest version of the vocabulary that they follow
   */
  record HourUnits(
      Instant hour,
      String environment,
      String meter,
      BigDecimal units,
      BigDecimal invoiced,
      int oldestMeters) {}

  List<HourUnits> byHourAndEnvironment(TenantId organization, Instant from, Instant to) {
    return jdbc.sql(
            """
            SELECT u.hour, u.environment_id, u.meter, sum(u.units),
              coalesce(sum(u.units) FILTER (
                WHERE i.month IS NULL OR u.sequence <= i.through_sequence), 0),
              min(u.meters_version)
            FROM usage_entry AS u
            LEFT JOIN invoice AS i
              ON i.organization_id = u.organization_id AND i.month = u.billed_month
            WHERE u.organization_id = :organization AND u.hour >= :from AND u.hour < :to
              AND u.meter IN
                ('points', 'points_set_aside', 'points_without_value', 'points_rolled_up')
            GROUP BY 1, 2, 3
            """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) ->
                new HourUnits(
                    row.getObject(1, OffsetDateTime.class).toInstant(),
                    row.getString(2),
                    row.getString(3),
                    row.getBigDecimal(4),
                    row.getBigDecimal(5),
                    row.getInt(6)))
        .list();
  }

  /** Metered points of a metric in an hour of receipt. */
  record MetricPoints(Instant hour, String environment, String metric, BigDecimal points) {}

  List<MetricPoints> pointsByMetric(TenantId organization, Instant from, Instant to) {
    return jdbc.sql(
            """
            SELECT hour, environment_id, metric, sum(units)
            FROM usage_entry
            WHERE organization_id = :organization AND meter = 'points'
              AND hour >= :from AND hour < :to
            GROUP BY 1, 2, 3
            """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) ->
                new MetricPoints(
                    row.getObject(1, OffsetDateTime.class).toInstant(),
                    row.getString(2),
                    row.getString(3),
                    row.getBigDecimal(4)))
        .list();
  }

  /**
   * Units by day and subject of hours that are priced between two times, as an invoice has them.
   *
   * @param billedBy only entries that an invoice up to this period holds
   * @param through only entries up to this sequence
   */
  List<DailyUse> daily(
      TenantId organization, Instant from, Instant to, BillingPeriod billedBy, long through) {
    return jdbc.sql(
            """
            SELECT meter, (rated_hour AT TIME ZONE 'UTC')::date AS day, environment_id,
              resource_type, resource_id, sum(units)
            FROM usage_entry
            WHERE organization_id = :organization AND rated_hour >= :from AND rated_hour < :to
              AND billed_month <= :month AND sequence <= :through
            GROUP BY 1, 2, 3, 4, 5
            """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("month", billedBy.firstDay())
        .param("through", through)
        .query(
            (row, number) ->
                new DailyUse(
                    row.getString(1),
                    row.getObject(2, LocalDate.class),
                    new DailyUse.Subject(row.getString(3), row.getString(4), row.getString(5)),
                    row.getBigDecimal(6)))
        .list();
  }
}

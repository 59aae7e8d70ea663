package io.tidemark.platform.usage;

import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table usage_tally. */
@Repository
class JdbcUsageTallies {

  /** Units of an hour. */
  record HourUnits(Instant hour, UsedUnits used) {}

  /** One order for every process, so that none waits for another in a circle. */
  static final Comparator<HourUnits> ORDER =
      Comparator.comparing(HourUnits::hour)
          .thenComparing(one -> one.used().environment())
          .thenComparing(one -> one.used().resourceType())
          .thenComparing(one -> one.used().resourceId())
          .thenComparing(one -> one.used().metric())
          .thenComparing(one -> one.used().meter());

  private static final String ROWS =
      """
      FROM unnest(:hours::text[], :environments::text[], :types::text[], :resources::text[],
        :metrics::text[], :meters::text[], :units::numeric[])
        AS r (hour, environment, type, resource, metric, meter, units)
      """;

  private final JdbcClient jdbc;

  JdbcUsageTallies(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Adds to the tallies of a process.
   *
   * @param portion greater than that of every earlier call for the process; the same again adds
   *     nothing. 0 adds always, for what is in the transaction of what it counts.
   * @param units each hour and subject once
   */
  void add(TenantId organization, String process, long portion, List<HourUnits> units) {
    rows(
            organization,
            process,
            units.stream().sorted(ORDER).toList(),
            """
            INSERT INTO usage_tally (organization_id, process, hour, environment_id, resource_type,
              resource_id, metric, meter, units, portion)
            SELECT :organization, :process, hour::timestamptz, environment, type, resource, metric,
              meter, units, :portion
            """
                + ROWS
                + """
                ON CONFLICT (organization_id, process, hour, environment_id, resource_type,
                  resource_id, metric, meter)
                DO UPDATE SET units = usage_tally.units + excluded.units,
                  portion = excluded.portion
                WHERE excluded.portion = 0 OR usage_tally.portion < excluded.portion
                """)
        .param("portion", portion)
        .update();
  }

  /** Adds what is not there yet, and leaves what is. */
  void addIfMissing(TenantId organization, String process, List<HourUnits> units) {
    rows(
            organization,
            process,
            units.stream().sorted(ORDER).toList(),
            """
            INSERT INTO usage_tally (organization_id, process, hour, environment_id, resource_type,
              resource_id, metric, meter, units)
            SELECT :organization, :process, hour::timestamptz, environment, type, resource, metric,
              meter, units
            """
                + ROWS
                + " ON CONFLICT DO NOTHING")
        .update();
  }

  private JdbcClient.StatementSpec rows(
      TenantId organization, String process, List<HourUnits> units, String sql) {
    return jdbc.sql(sql)
        .param("organization", organization.value())
        .param("process", process)
        .param("hours", texts(units, one -> one.hour().toString()))
        .param("environments", texts(units, one -> one.used().environment()))
        .param("types", texts(units, one -> one.used().resourceType()))
        .param("resources", texts(units, one -> one.used().resourceId()))
        .param("metrics", texts(units, one -> one.used().metric()))
        .param("meters", texts(units, one -> one.used().meter()))
        .param("units", array(units, one -> one.used().units(), BigDecimal[]::new));
  }

  private static String[] texts(List<HourUnits> units, Function<HourUnits, String> text) {
    return array(units, text, String[]::new);
  }

  private static <T> T[] array(
      List<HourUnits> units, Function<HourUnits, T> value, IntFunction<T[]> array) {
    return units.stream().map(value).toArray(array);
  }

  boolean has(TenantId organization, String process, Instant hour, String meter) {
    return jdbc.sql(
            """
            SELECT EXISTS (SELECT FROM usage_tally
              WHERE organization_id = :organization AND process = :process AND hour = :hour
                AND meter = :meter)
            """)
        .param("organization", organization.value())
        .param("process", process)
        .param("hour", utc(hour))
        .param("meter", meter)
        .query(Boolean.class)
        .single();
  }

  /** Waits for others that measure the same hour. */
  void lockSample(TenantId organization, Instant hour) {
    jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
        .param("name", "usage_tally/" + organization.value() + "/" + hour)
        .query((row, number) -> "")
        .list();
  }

  /**
   * Tallies with open units, kept from others until the transaction ends.
   *
   * @param overBefore hours that began before it are over
   * @param enteredBefore of running hours, those of which nothing was entered since
   */
  List<OpenTally> lockOpen(
      TenantId organization, Instant overBefore, Instant enteredBefore, int most) {
    return jdbc.sql(
            """
            SELECT process, hour, environment_id, resource_type, resource_id, metric, meter,
              units - entered, parts
            FROM usage_tally
            WHERE organization_id = :organization AND entered < units
              AND (hour < :over OR entered_at IS NULL OR entered_at < :before)
            ORDER BY hour, environment_id, resource_type, resource_id, metric, meter, process
            LIMIT :most
            FOR NO KEY UPDATE SKIP LOCKED
            """)
        .param("organization", organization.value())
        .param("over", utc(overBefore))
        .param("before", utc(enteredBefore))
        .param("most", most)
        .query(
            (row, number) ->
                new OpenTally(
                    row.getString(1),
                    row.getObject(2, OffsetDateTime.class).toInstant(),
                    new UsedUnits(
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        row.getString(7),
                        row.getBigDecimal(8)),
                    row.getInt(9)))
        .list();
  }

  /** The ledger has the open units; the tally must be locked. */
  void enter(TenantId organization, OpenTally tally, Instant now) {
    UsedUnits used = tally.used();
    jdbc.sql(
            """
            UPDATE usage_tally
            SET entered = entered + :units, parts = :part + 1, entered_at = :now
            WHERE organization_id = :organization AND process = :process AND hour = :hour
              AND environment_id = :environment AND resource_type = :type
              AND resource_id = :resource AND metric = :metric AND meter = :meter
              AND parts = :part
            """)
        .param("organization", organization.value())
        .param("process", tally.process())
        .param("hour", utc(tally.hour()))
        .param("environment", used.environment())
        .param("type", used.resourceType())
        .param("resource", used.resourceId())
        .param("metric", used.metric())
        .param("meter", used.meter())
        .param("units", used.units())
        .param("part", tally.part())
        .param("now", utc(now))
        .update();
  }

  void forget(TenantId organization, Instant before) {
    jdbc.sql(
            """
            DELETE FROM usage_tally
            WHERE organization_id = :organization AND hour < :before AND entered = units
            """)
        .param("organization", organization.value())
        .param("before", utc(before))
        .update();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}

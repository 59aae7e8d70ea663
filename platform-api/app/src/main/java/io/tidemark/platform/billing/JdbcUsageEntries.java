package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.MinuteCounts;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables usage_entry, usage_head and usage_conflict. */
@Repository
class JdbcUsageEntries {

  /** The end of a chain: the last entry's sequence and hash, or 0 and the beginning's. */
  record Head(long sequence, String hash) {}

  /** A record and one of its meters. */
  record EntryKey(String recordId, String meter) {}

  private static final HexFormat HEX = HexFormat.of();

  private final JdbcClient jdbc;

  JdbcUsageEntries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The end of the chain, kept from others until the transaction ends. */
  Head lockHead(TenantId organization) {
    jdbc.sql(
            """
            INSERT INTO usage_head (organization_id) VALUES (:organization) ON CONFLICT DO NOTHING
            """)
        .param("organization", organization.value())
        .update();
    return jdbc.sql(
            """
            SELECT sequence, hash FROM usage_head WHERE organization_id = :organization FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .query((row, number) -> new Head(row.getLong(1), HEX.formatHex(row.getBytes(2))))
        .single();
  }

  /**
   * The end of the chain, kept from others until the transaction ends.
   *
   * @param patience how long this transaction waits for each of its locks before it fails
   */
  Head lockHead(TenantId organization, Duration patience) {
    jdbc.sql("SELECT set_config('lock_timeout', :patience, true)")
        .param("patience", patience.toMillis() + "ms")
        .query(String.class)
        .single();
    return lockHead(organization);
  }

  /** The end of the chain as it is now. */
  Head head(TenantId organization) {
    return jdbc.sql("SELECT sequence, hash FROM usage_head WHERE organization_id = :organization")
        .param("organization", organization.value())
        .query((row, number) -> new Head(row.getLong(1), HEX.formatHex(row.getBytes(2))))
        .optional()
        .orElse(new Head(0, UsageChain.BEGINNING));
  }

  /** Units of those records that are in the ledger. */
  Map<EntryKey, BigDecimal> known(TenantId organization, List<String> recordIds) {
    Map<EntryKey, BigDecimal> known = new HashMap<>();
    jdbc.sql(
            """
            SELECT encode(record_id, 'hex'), meter, units FROM usage_entry
            WHERE organization_id = :organization
              AND record_id IN (SELECT decode(id, 'hex') FROM unnest(:ids::text[]) AS r (id))
            """)
        .param("organization", organization.value())
        .param("ids", recordIds.toArray(String[]::new))
        .query(
            row -> {
              known.put(new EntryKey(row.getString(1), row.getString(2)), row.getBigDecimal(3));
            });
    return known;
  }

  void addConflict(
      TenantId organization, EntryKey key, BigDecimal entered, BigDecimal refused, Instant seenAt) {
    jdbc.sql(
            """
            INSERT INTO usage_conflict
              (organization_id, record_id, meter, entered_units, refused_units, seen_at)
            VALUES (:organization, decode(:record, 'hex'), :meter, :entered, :refused, :seen)
            ON CONFLICT DO NOTHING
            """)
        .param("organization", organization.value())
        .param("record", key.recordId())
        .param("meter", key.meter())
        .param("entered", entered)
        .param("refused", refused)
        .param("seen", seenAt.atOffset(ZoneOffset.UTC))
        .update();
  }

  /**
   * How many of an environment were recorded, by start of minute. Reads the end of the chain, so it
   * costs the same however long that is; empty when the end does not reach back far enough.
   *
   * @param most entries that are read
   */
  Optional<SortedMap<Instant, Long>> byMinute(
      TenantId organization, EnvironmentId environment, Instant from, Instant to, int most) {
    boolean isTooMany =
        jdbc.sql(
                """
                SELECT recorded_at >= :from FROM usage_entry WHERE organization_id = :organization
                ORDER BY sequence DESC OFFSET :most LIMIT 1
                """)
            .param("organization", organization.value())
            .param("from", from.atOffset(ZoneOffset.UTC))
            .param("most", most)
            .query(Boolean.class)
            .optional()
            .orElse(false);
    if (isTooMany) {
      return Optional.empty();
    }
    return Optional.of(
        jdbc.sql(
                """
                SELECT date_trunc('minute', recorded_at), count(*)
                FROM (SELECT recorded_at, environment_id FROM usage_entry
                  WHERE organization_id = :organization ORDER BY sequence DESC LIMIT :most) AS newest
                WHERE environment_id = :environment AND recorded_at >= :from AND recorded_at < :to
                GROUP BY 1
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("from", from.atOffset(ZoneOffset.UTC))
            .param("to", to.atOffset(ZoneOffset.UTC))
            .param("most", most)
            .query(new MinuteCounts()));
  }

  /** Records that came again with other contents, one sentence each. */
  List<String> conflicts(TenantId organization) {
    return jdbc.sql(
            """
            SELECT format('Record %s came again with %s instead of %s %s.',
              encode(record_id, 'hex'), refused_units, entered_units, meter)
            FROM usage_conflict WHERE organization_id = :organization ORDER BY seen_at LIMIT 20
            """)
        .param("organization", organization.value())
        .query(String.class)
        .list();
  }

  /** Adds entries that follow the head, and moves it; the head must be locked. */
  void append(TenantId organization, List<UsageEntry> entries) {
    jdbc.sql(
            """
            INSERT INTO usage_entry
              (organization_id, sequence, record_id, meter, meters_version, environment_id,
               resource_type, resource_id, metric, units, hour, rated_hour, billed_month, kind,
               reason, metered_at, recorded_at, source_partition, source_offset, previous_hash,
               hash)
            SELECT :organization, e.sequence, decode(e.record, 'hex'), e.meter, e.meters,
              e.environment, e.type, e.resource, e.metric, e.units, e.hour::timestamptz,
              e.rated::timestamptz, e.month::date, e.kind, nullif(e.reason, ''),
              e.metered::timestamptz, e.recorded::timestamptz, e.partition, e.place,
              decode(e.previous, 'hex'), decode(e.hash, 'hex')
            FROM unnest(:sequences::bigint[], :records::text[], :meters::text[], :versions::int[],
              :environments::text[], :types::text[], :resources::text[], :metrics::text[],
              :units::numeric[], :hours::text[], :rated::text[], :months::text[], :kinds::text[],
              :reasons::text[], :metered::text[], :recorded::text[], :partitions::int[],
              :places::bigint[], :previous::text[], :hashes::text[])
              AS e (sequence, record, meter, meters, environment, type, resource, metric, units,
                hour, rated, month, kind, reason, metered, recorded, partition, place, previous,
                hash)
            """)
        .param("organization", organization.value())
        .param("sequences", array(entries, UsageEntry::sequence, Long[]::new))
        .param("records", texts(entries, UsageEntry::recordId))
        .param("meters", texts(entries, UsageEntry::meter))
        .param("versions", array(entries, UsageEntry::metersVersion, Integer[]::new))
        .param("environments", texts(entries, UsageEntry::environment))
        .param("types", texts(entries, UsageEntry::resourceType))
        .param("resources", texts(entries, UsageEntry::resourceId))
        .param("metrics", texts(entries, UsageEntry::metric))
        .param("units", array(entries, UsageEntry::units, BigDecimal[]::new))
        .param("hours", texts(entries, entry -> entry.hour().toString()))
        .param("rated", texts(entries, entry -> entry.ratedHour().toString()))
        .param("months", texts(entries, entry -> entry.billedMonth().toString()))
        .param("kinds", texts(entries, UsageEntry::kind))
        .param("reasons", texts(entries, entry -> entry.reason() == null ? "" : entry.reason()))
        .param("metered", texts(entries, entry -> entry.meteredAt().toString()))
        .param("recorded", texts(entries, entry -> entry.recordedAt().toString()))
        .param("partitions", array(entries, UsageEntry::sourcePartition, Integer[]::new))
        .param("places", array(entries, UsageEntry::sourceOffset, Long[]::new))
        .param("previous", texts(entries, UsageEntry::previousHash))
        .param("hashes", texts(entries, entry -> Objects.requireNonNull(entry.hash())))
        .update();
    UsageEntry last = entries.get(entries.size() - 1);
    jdbc.sql(
            """
            UPDATE usage_head SET sequence = :sequence, hash = :hash
            WHERE organization_id = :organization
            """)
        .param("organization", organization.value())
        .param("sequence", last.sequence())
        .param("hash", HEX.parseHex(last.hash()))
        .update();
  }

  private static String[] texts(List<UsageEntry> entries, Function<UsageEntry, String> text) {
    return array(entries, text, String[]::new);
  }

  private static <T> T[] array(
      List<UsageEntry> entries, Function<UsageEntry, T> value, IntFunction<T[]> array) {
    return entries.stream().map(value).toArray(array);
  }

  /** Entries after the given sequence, oldest first. */
  List<UsageEntry> after(TenantId organization, long sequence, int most) {
    return jdbc.sql(
            """
            SELECT * FROM usage_entry
            WHERE organization_id = :organization AND sequence > :sequence
            ORDER BY sequence LIMIT :most
            """)
        .param("organization", organization.value())
        .param("sequence", sequence)
        .param("most", most)
        .query((row, number) -> entry(row))
        .list();
  }

  private static UsageEntry entry(ResultSet row) throws SQLException {
    return new UsageEntry(
        row.getString("organization_id"),
        row.getLong("sequence"),
        HEX.formatHex(row.getBytes("record_id")),
        row.getString("meter"),
        row.getInt("meters_version"),
        row.getString("environment_id"),
        row.getString("resource_type"),
        row.getString("resource_id"),
        row.getString("metric"),
        row.getBigDecimal("units"),
        instant(row, "hour"),
        instant(row, "rated_hour"),
        row.getObject("billed_month", LocalDate.class),
        row.getString("reason"),
        instant(row, "metered_at"),
        instant(row, "recorded_at"),
        row.getInt("source_partition"),
        row.getLong("source_offset"),
        HEX.formatHex(row.getBytes("previous_hash")),
        HEX.formatHex(row.getBytes("hash")));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /**
   * Units by meter of hours that are priced between two times.
   *
   * @param billedBy only entries that an invoice up to this period holds
   * @param through only entries up to this sequence
   */
  Map<String, BigDecimal> sums(
      TenantId organization, Instant from, Instant to, BillingPeriod billedBy, long through) {
    Map<String, BigDecimal> sums = new HashMap<>();
    jdbc.sql(
            """
            SELECT meter, sum(units) FROM usage_entry
            WHERE organization_id = :organization AND rated_hour >= :from AND rated_hour < :to
              AND billed_month <= :month AND sequence <= :through
            GROUP BY meter
            """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("month", billedBy.firstDay())
        .param("through", through)
        .query(
            row -> {
              sums.put(row.getString(1), row.getBigDecimal(2));
            });
    return sums;
  }

  /** Units of a meter of a metric. */
  record MetricUnits(String metric, String meter, BigDecimal units) {}

  /** Units of some metrics; otherwise as above. */
  List<MetricUnits> sumsOf(
      TenantId organization,
      Set<String> metrics,
      Instant from,
      Instant to,
      BillingPeriod billedBy,
      long through) {
    return jdbc.sql(
            """
            SELECT metric, meter, sum(units) FROM usage_entry
            WHERE organization_id = :organization AND rated_hour >= :from AND rated_hour < :to
              AND billed_month <= :month AND sequence <= :through
              AND metric = ANY (:metrics::text[])
            GROUP BY 1, 2
            """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("month", billedBy.firstDay())
        .param("through", through)
        .param("metrics", metrics.toArray(String[]::new))
        .query(
            (row, number) ->
                new MetricUnits(row.getString(1), row.getString(2), row.getBigDecimal(3)))
        .list();
  }

  /** Byte-hours of a level. */
  record StoreUnits(String level, String meter, BigDecimal units) {}

  /** Storage by level; otherwise as above. */
  List<StoreUnits> sumsOfStores(
      TenantId organization, Instant from, Instant to, BillingPeriod billedBy, long through) {
    return jdbc.sql(
            """
            SELECT resource_id, meter, sum(units) FROM usage_entry
            WHERE organization_id = :organization AND rated_hour >= :from AND rated_hour < :to
              AND billed_month <= :month AND sequence <= :through
              AND meter IN ('druid_storage', 'lake_storage')
            GROUP BY 1, 2
            """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("month", billedBy.firstDay())
        .param("through", through)
        .query(
            (row, number) ->
                new StoreUnits(row.getString(1), row.getString(2), row.getBigDecimal(3)))
        .list();
  }

  /** Active series of the hours of an environment beyond so many; otherwise as above. */
  BigDecimal seriesBeyond(
      TenantId organization,
      String environment,
      long series,
      Instant from,
      Instant to,
      BillingPeriod billedBy,
      long through) {
    return jdbc.sql(
            """
            SELECT coalesce(sum(greatest(active - :series, 0)), 0)
            FROM (
              SELECT sum(units) AS active FROM usage_entry
              WHERE organization_id = :organization AND meter = 'active_series'
                AND rated_hour >= :from AND rated_hour < :to
                AND billed_month <= :month AND sequence <= :through
                AND environment_id = :environment
              GROUP BY rated_hour) AS hours
            """)
        .param("organization", organization.value())
        .param("environment", environment)
        .param("series", series)
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("month", billedBy.firstDay())
        .param("through", through)
        .query(BigDecimal.class)
        .single();
  }

  /** How often metrics were read by queries since then, by metric. */
  Map<String, BigDecimal> reads(TenantId organization, Set<String> metrics, Instant since) {
    Map<String, BigDecimal> reads = new HashMap<>();
    jdbc.sql(
            """
            SELECT metric, sum(units) FROM usage_entry
            WHERE organization_id = :organization AND meter = 'metric_reads'
              AND rated_hour >= :since AND metric = ANY (:metrics::text[])
            GROUP BY 1
            """)
        .param("organization", organization.value())
        .param("since", since.atOffset(ZoneOffset.UTC))
        .param("metrics", metrics.toArray(String[]::new))
        .query(
            row -> {
              reads.put(row.getString(1), row.getBigDecimal(2));
            });
    return reads;
  }

  /** An earlier period of which an invoice holds usage, and why. */
  record LatePeriod(BillingPeriod period, String reason) {}

  /** Earlier periods whose usage is billed in the given one. */
  List<LatePeriod> latePeriods(TenantId organization, BillingPeriod billed, long through) {
    return jdbc.sql(
            """
            SELECT date_trunc('month', rated_hour AT TIME ZONE 'UTC')::date AS month,
              string_agg(DISTINCT reason, ', ' ORDER BY reason) AS reason
            FROM usage_entry
            WHERE organization_id = :organization AND billed_month = :month AND kind = 'adjustment'
              AND rated_hour < :start AND sequence <= :through
            GROUP BY 1 ORDER BY 1
            """)
        .param("organization", organization.value())
        .param("month", billed.firstDay())
        .param("start", billed.start().atOffset(ZoneOffset.UTC))
        .param("through", through)
        .query(
            (row, number) ->
                new LatePeriod(
                    BillingPeriod.at(
                        row.getObject(1, LocalDate.class).atStartOfDay(ZoneOffset.UTC).toInstant()),
                    row.getString(2)))
        .list();
  }

  /** Months that an invoice holds usage of or could. */
  List<BillingPeriod> billedPeriods(TenantId organization) {
    return jdbc.sql(
            """
            SELECT DISTINCT billed_month FROM usage_entry
            WHERE organization_id = :organization ORDER BY 1
            """)
        .param("organization", organization.value())
        .query(
            (row, number) ->
                BillingPeriod.at(
                    row.getObject(1, LocalDate.class).atStartOfDay(ZoneOffset.UTC).toInstant()))
        .list();
  }
}

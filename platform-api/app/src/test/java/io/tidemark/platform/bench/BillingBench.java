package io.tidemark.platform.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.PeriodCloser;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A generated month of many tenants, closed in one run, and every sum computed once more by SQL
 * that shares nothing with the code. {@code make bench-billing}.
 */
@ExtendWith(RunningPlatform.Extension.class)
class BillingBench {

  private static final int TENANTS = Integer.getInteger("bench.tenants", 1_000);
  private static final int RECORDS = Integer.getInteger("bench.records", 10_000);

  private final RunningPlatform platform;
  private final JdbcClient database;
  private final BillingPeriod month;

  BillingBench(RunningPlatform platform) {
    this.platform = platform;
    this.database = platform.database();
    // The last month cannot be closed on the first day of the running one.
    this.month = BillingPeriod.at(platform.bean(Clock.class).instant()).previous().previous();
  }

  private static void report(String what, Object figure) {
    System.out.println("BENCH billing " + what + " " + figure);
  }

  @Test
  void aMonthOfManyTenantsClosesAndIsRight() {
    generate();
    long started = System.nanoTime();
    int closed = platform.bean(PeriodCloser.class).closeDue();
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    report("invoices", closed);
    report("records", (long) TENANTS * RECORDS);
    report("closing-ms", took.toMillis());
    assertThat(closed).isGreaterThanOrEqualTo(TENANTS);
    assertThat(took).isLessThan(Duration.ofMinutes(10));
    List<String> differences = differences();
    report("differences", differences.size());
    assertThat(differences).isEmpty();
  }

  /** A third of the tenants has each plan of the catalogue; records are spread over the month. */
  private void generate() {
    long started = System.nanoTime();
    database
        .sql(
            """
            INSERT INTO organization (id, display_name, state, version, created_at, updated_at)
            SELECT 'org-bench-' || o, 'Bench', 'active', 1, now(), now()
            FROM generate_series(1, :tenants) AS o
            """)
        .param("tenants", TENANTS)
        .update();
    database
        .sql(
            """
            INSERT INTO usage_head (organization_id, sequence)
            SELECT 'org-bench-' || o, :records FROM generate_series(1, :tenants) AS o
            """)
        .param("tenants", TENANTS)
        .param("records", RECORDS)
        .update();
    database
        .sql(
            """
            INSERT INTO usage_entry (organization_id, sequence, record_id, meter, meters_version,
              environment_id, resource_type, resource_id, metric, units, hour, rated_hour,
              billed_month, kind, metered_at, recorded_at, source_partition, source_offset,
              previous_hash, hash)
            SELECT 'org-bench-' || o, i, sha256((o || '/' || i)::bytea),
              CASE WHEN i % 2 = 0 THEN 'points' ELSE 'bytes' END, 1, 'env-bench', 'kafka',
              'lkc-' || i % 40, 'metric-' || i % 97,
              (i::bigint * 7919 + o::bigint * 104729) % (1000 * (o % 900 + 1)) + 1,
              at.hour, at.hour, :month, 'usage', at.hour, at.hour, 0, i,
              sha256((o || '/' || i - 1)::bytea), sha256((o || '/' || i)::bytea)
            FROM generate_series(1, :tenants) AS o
            CROSS JOIN generate_series(1, :records) AS i
            CROSS JOIN LATERAL (
              SELECT :start::timestamptz + (i % :hours) * interval '1 hour' AS hour) AS at
            """)
        .param("tenants", TENANTS)
        .param("records", RECORDS)
        .param("month", month.firstDay())
        .param("start", month.start().toString())
        .param("hours", month.hours())
        .update();
    for (int plan = 1; plan <= 2; plan++) {
      database
          .sql(
              """
              INSERT INTO plan_version (organization_id, version, effective_from, plan, chosen_at)
              SELECT 'org-bench-' || o, 1, :month, :plan, now()
              FROM generate_series(1, :tenants) AS o WHERE o % 3 = :third
              """)
          .param("month", month.firstDay())
          .param("plan", plan == 1 ? PAY_AS_YOU_GO : COMMITTED)
          .param("tenants", TENANTS)
          .param("third", plan)
          .update();
    }
    database.sql("ANALYZE usage_entry").update();
    report("generating-ms", Duration.ofNanos(System.nanoTime() - started).toMillis());
  }

  private static final String PAY_AS_YOU_GO =
      """
      {"name":"pay-as-you-go","currency":"EUR","base_fee":"0","minimum":"0","discount_percent":"0",
       "tax":{"name":"VAT","rate_percent":"19"},"charges":[{"meter":"points","per":"1000",
       "included":"0","mode":"GRADUATED","tiers":[{"price":"0.25","flat":"0"}]}]}
      """;

  private static final String COMMITTED =
      """
      {"name":"committed","currency":"EUR","base_fee":"99","minimum":"500","discount_percent":"5",
       "tax":{"name":"VAT","rate_percent":"19"},"charges":[{"meter":"points","per":"1000000",
       "included":"1000000","mode":"VOLUME","tiers":[{"up_to":"500000000","price":"0.09",
       "flat":"0"},{"price":"0.05","flat":"25"}]},{"meter":"bytes","per":"1000000000",
       "included":"0","mode":"GRADUATED","tiers":[{"price":"0.03","flat":"0"}]}]}
      """;

  /** The prices of price-plans.yaml and of above, written down once more. */
  private List<String> differences() {
    return database
        .sql(
            """
            WITH used AS (
              SELECT organization_id, substring(organization_id FROM 11)::int % 3 AS plan,
                coalesce(sum(units) FILTER (WHERE meter = 'points'), 0) AS points,
                coalesce(sum(units) FILTER (WHERE meter = 'bytes'), 0) AS bytes
              FROM usage_entry WHERE organization_id LIKE 'org-bench-%'
              GROUP BY organization_id
            ), billed AS (
              SELECT *, greatest(points - 10000000, 0) AS over,
                greatest(points - 1000000, 0) AS committed
              FROM used
            ), lines AS (
              SELECT organization_id, plan, CASE plan
                WHEN 0 THEN round(least(over, 1000000000) * 0.15 / 1000000
                    + greatest(least(over, 10000000000) - 1000000000, 0) * 0.10 / 1000000
                    + greatest(over - 10000000000, 0) * 0.06 / 1000000, 2)
                  + round(greatest(bytes - 1000000000, 0) * 0.05 / 1000000000, 2)
                WHEN 1 THEN round(points * 0.25 / 1000, 2)
                ELSE greatest(500, 99
                  + round(CASE WHEN committed = 0 THEN 0
                      WHEN committed <= 500000000 THEN committed * 0.09 / 1000000
                      ELSE committed * 0.05 / 1000000 + 25 END, 2)
                  + round(bytes * 0.03 / 1000000000, 2)) END AS charged
              FROM billed
            ), sums AS (
              SELECT organization_id,
                CASE plan WHEN 2 THEN charged - round(charged * 5 / 100, 2) ELSE charged END
                  AS subtotal,
                CASE plan WHEN 0 THEN 0 ELSE 19 END AS rate
              FROM lines
            ), expected AS (
              SELECT organization_id, subtotal, round(subtotal * rate / 100, 2) AS tax FROM sums
            )
            SELECT format('%s: invoice %s + %s, SQL %s + %s', e.organization_id,
              i.document::json ->> 'subtotal', i.document::json ->> 'tax_amount', e.subtotal, e.tax)
            FROM expected AS e
            LEFT JOIN invoice AS i ON i.organization_id = e.organization_id AND i.month = :month
            WHERE i.month IS NULL
              OR (i.document::json ->> 'subtotal')::numeric <> e.subtotal
              OR (i.document::json ->> 'tax_amount')::numeric <> e.tax
              OR (i.document::json ->> 'total')::numeric <> e.subtotal + e.tax
            """)
        .param("month", month.firstDay())
        .query(String.class)
        .list();
  }
}

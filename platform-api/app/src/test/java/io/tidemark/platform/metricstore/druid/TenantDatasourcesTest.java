package io.tidemark.platform.metricstore.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.druid.DatasourcePlacement;
import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.LoadRules.LoadPeriod;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which datasources a query reads, by organisation and time. */
class TenantDatasourcesTest {

  private static final TenantId LARGE = new TenantId("org-large");
  private static final TenantId OTHER = new TenantId("org-other");
  private static final Instant FROM = Instant.parse("2026-12-01T00:00:00Z");
  private static final List<DatasourcePlacement> PLACEMENTS =
      List.of(new DatasourcePlacement(LARGE, "large", FROM));

  private final TenantDatasources datasources = new TenantDatasources(() -> PLACEMENTS);
  private final DruidQueryTree trees =
      new DruidQueryTree(
          Duration.ofSeconds(20), (organization, source) -> Optional.empty(), () -> PLACEMENTS);

  private static IntervalSet hours(int from, int to) {
    return IntervalSet.of(
        List.of(
            new TimeInterval(FROM.plus(Duration.ofHours(from)), FROM.plus(Duration.ofHours(to)))));
  }

  @Test
  void aTenantIsReadWhereItsRowsOfTheTimeAre() {
    assertThat(datasources.of(LARGE, Source.MINUTES, hours(-5, 0))).containsExactly("rollup_1m");
    assertThat(datasources.of(LARGE, Source.MINUTES, hours(0, 5)))
        .containsExactly("rollup_1m_large");
    assertThat(datasources.of(LARGE, Source.DAYS, hours(-24, 24)))
        .containsExactly("rollup_1d", "rollup_1d_large");
    assertThat(datasources.of(LARGE, Source.MINUTES_IN_DETAIL, hours(-2, -1).plus(hours(1, 2))))
        .containsExactly("rollup_1m_hc", "rollup_1m_hc_large");
    assertThat(datasources.of(LARGE, Source.HOURS, IntervalSet.NONE)).containsExactly("rollup_1h");
  }

  @Test
  void allOthersReadTheSharedOneAlone() {
    assertThat(datasources.of(OTHER, Source.MINUTES, hours(-5, 5))).containsExactly("rollup_1m");
    assertThat(datasources.of(OTHER, Source.DAYS, hours(0, 24))).containsExactly("rollup_1d");
  }

  private JsonNode dataSource(TenantId organization, StoreQuery.Shape shape, IntervalSet spans) {
    JsonNode tree =
        trees.build(
            organization,
            new StoreQuery(
                Optional.of("orders"),
                Optional.empty(),
                Granularity.PT1H,
                List.of(),
                ScanSpec.of(Source.HOURS, spans),
                Set.of(AggregateColumn.SUM),
                shape,
                5,
                Optional.empty(),
                Lane.INTERACTIVE),
            "id-1");
    return shape instanceof StoreQuery.Shape.SeriesFirst
        ? tree.at("/dataSource/query/dataSource")
        : tree.path("dataSource");
  }

  @Test
  void severalDatasourcesAreAUnionBelowTheSumsOfEveryShape() {
    for (StoreQuery.Shape shape :
        List.of(
            new StoreQuery.Shape.Flat(),
            new StoreQuery.Shape.BySeries(),
            new StoreQuery.Shape.SeriesFirst(TimeFunction.MEAN))) {
      assertThat(dataSource(LARGE, shape, hours(-1, 1)).toString())
          .isEqualTo("{\"type\":\"union\",\"dataSources\":[\"rollup_1h\",\"rollup_1h_large\"]}");
      assertThat(dataSource(LARGE, shape, hours(1, 2)).asString()).isEqualTo("rollup_1h_large");
      assertThat(dataSource(OTHER, shape, hours(-1, 1)).asString()).isEqualTo("rollup_1h");
    }
  }

  /** What one of a tenant's datasources lets go of is read from the lake. */
  @Test
  void theShortestPeriodOfATenantsDatasourcesCounts() {
    LoadPeriod month = new LoadPeriod(Optional.of(Duration.ofDays(30)));
    LoadPeriod week = new LoadPeriod(Optional.of(Duration.ofDays(7)));
    LoadPeriod forever = new LoadPeriod(Optional.empty());
    assertThat(DruidLoadRules.least(month, week)).isEqualTo(week);
    assertThat(DruidLoadRules.least(week, month)).isEqualTo(week);
    assertThat(DruidLoadRules.least(forever, month)).isEqualTo(month);
    assertThat(DruidLoadRules.least(month, forever)).isEqualTo(month);
    assertThat(DruidLoadRules.least(forever, forever)).isEqualTo(forever);
  }
}

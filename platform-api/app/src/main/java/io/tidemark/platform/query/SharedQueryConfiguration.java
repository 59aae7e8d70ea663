package io.tidemark.platform.query;

import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.metricstore.iceberg.LakeCatalog;
import io.tidemark.platform.metricstore.iceberg.LakeStore;
import io.tidemark.platform.query.web.MetricsApiRateLimiter;
import io.tidemark.platform.replicas.SharedCounts;
import io.tidemark.platform.retention.RetentionFilter;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.SpanRecorder;
import io.tidemark.platform.usage.UsageTally;
import io.tidemark.platform.usage.UsedUnits;
import java.time.Clock;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the billing API needs, too: limits of callers, and the lake, with which it compares. */
@Configuration(proxyBeanMethods = false)
class SharedQueryConfiguration {

  private static final String HAS_LAKE = "'${tidemark.query.lake.catalog:}' != ''";

  @Bean
  MetricsApiRateLimiter metricsApiRateLimiter(
      QueryProperties properties, CurrentCaller callers, Clock clock, SharedCounts counts) {
    return new MetricsApiRateLimiter(
        properties.requestsPerMinute(), properties.exportsPerHour(), callers, clock, counts::open);
  }

  @Bean
  VisibleRows visibleRows(RetentionFilter hidden) {
    return (organization, source) ->
        hidden.shownFrom(organization, QueryConfiguration.level(source))::of;
  }

  @Bean
  @ConditionalOnExpression(HAS_LAKE)
  LakeCatalog lakeCatalog(QueryProperties properties) {
    QueryProperties.Lake lake = properties.lake();
    return new LakeCatalog(
        new LakeCatalog.CatalogLocation(
            lake.catalog(),
            lake.user(),
            lake.password(),
            QueryProperties.Lake.pairs(lake.catalogProperties()),
            lake.warehouse(),
            lake.namespace(),
            new LakeCatalog.StoreAccess(
                lake.s3Endpoint(),
                lake.s3PathStyle(),
                QueryProperties.Lake.pairs(lake.fileIo()),
                lake.bundles())));
  }

  @Bean
  @ConditionalOnExpression(HAS_LAKE)
  LakeStore lakeStore(
      LakeCatalog catalog,
      VisibleRows shown,
      UsageTally tally,
      QueryProperties properties,
      SpanRecorder spans) {
    return new LakeStore(
        catalog,
        shown,
        properties.timeout(),
        properties.maxResult(),
        // Its query is counted afterwards and waits for both.
        (organization, query, bytes) ->
            tally.addSoon(
                organization,
                List.of(
                    new UsedUnits(
                        "",
                        "store",
                        "lake/" + query.part().source().datasource(),
                        query.metric().orElse(""),
                        "lake_bytes_scanned",
                        bytes))),
        spans);
  }
}

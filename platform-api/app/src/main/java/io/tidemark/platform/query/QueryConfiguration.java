package io.tidemark.platform.query;

import io.tidemark.platform.query.application.CostGuard;
import io.tidemark.platform.query.application.DescribingMetrics;
import io.tidemark.platform.query.application.ExportingMetrics;
import io.tidemark.platform.query.application.KnowMetricKinds;
import io.tidemark.platform.query.application.KnowStoreOffsets;
import io.tidemark.platform.query.application.ListingAttributes;
import io.tidemark.platform.query.application.PageTokens;
import io.tidemark.platform.query.application.PipelineProgress;
import io.tidemark.platform.query.application.PrometheusQueries;
import io.tidemark.platform.query.application.QueryingMetrics;
import io.tidemark.platform.query.application.ReadSeries;
import io.tidemark.platform.query.application.RunQuery;
import io.tidemark.platform.query.domain.Source;
import io.tidemark.platform.query.druid.DruidBroker;
import io.tidemark.platform.query.druid.DruidHttp;
import io.tidemark.platform.query.druid.DruidMetricKinds;
import io.tidemark.platform.query.druid.DruidOffsets;
import io.tidemark.platform.query.druid.DruidSeries;
import io.tidemark.platform.query.druid.HiddenFilter;
import io.tidemark.platform.query.kafka.ProgressReader;
import io.tidemark.platform.query.web.MetricsRateLimit;
import io.tidemark.platform.retention.HiddenRows;
import io.tidemark.platform.retention.Level;
import io.tidemark.platform.shared.CallerOfRequest;
import io.tidemark.platform.shared.IdentifierSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Puts the module together. */
@Configuration(proxyBeanMethods = false)
class QueryConfiguration {

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  @Bean
  DruidHttp druidHttp(QueryProperties properties) {
    return new DruidHttp(http, properties.broker(), properties.timeout());
  }

  /** What retention hides is no answer, whether it is removed already or not. */
  @Bean
  HiddenFilter hiddenFilter(HiddenRows rows) {
    JsonMapper json = JsonMapper.builder().build();
    return (organization, source) ->
        rows.filter(organization, level(source)).map(filter -> json.valueToTree(filter));
  }

  private static Level level(Source source) {
    return switch (source) {
      case MINUTES, MINUTES_IN_DETAIL -> Level.MINUTES;
      case HOURS -> Level.HOURS;
      case DAYS -> Level.DAYS;
    };
  }

  @Bean
  RunQuery druidBroker(
      DruidHttp druid,
      HiddenFilter hidden,
      QueryProperties properties,
      IdentifierSource identifiers) {
    return new DruidBroker(druid, hidden, identifiers, properties.greatestResult());
  }

  @Bean
  KnowMetricKinds metricKinds(
      DruidHttp druid, HiddenFilter hidden, IdentifierSource identifiers, Clock clock) {
    return new DruidMetricKinds(druid, hidden, identifiers, clock);
  }

  @Bean
  ProgressReader pipelineProgress(QueryProperties properties) {
    KnowStoreOffsets offsets =
        properties.hasCoordinator()
            ? new DruidOffsets(http, URI.create(properties.druidCoordinator()))
            : () -> new KnowStoreOffsets.StoreState(Map.of(), false);
    return new ProgressReader(properties.kafka(), offsets);
  }

  @Bean
  PageTokens pageTokens(QueryProperties properties) {
    return new PageTokens(properties.pageTokenSecret());
  }

  @Bean
  CostGuard costGuard(QueryProperties properties) {
    return new CostGuard(properties.slowFrom(), properties.greatestRows(), properties.turns());
  }

  @Bean
  QueryingMetrics queryingMetrics(
      RunQuery store,
      PipelineProgress progress,
      KnowMetricKinds kinds,
      PageTokens tokens,
      CostGuard guard,
      QueryProperties properties,
      Clock clock) {
    return new QueryingMetrics(
        store, progress, kinds, tokens, guard, properties.greatestResult(), clock);
  }

  @Bean
  ReadSeries druidSeries(
      DruidHttp druid, HiddenFilter hidden, IdentifierSource identifiers, Clock clock) {
    return new DruidSeries(druid, hidden, identifiers, clock);
  }

  @Bean
  ListingAttributes listingAttributes(
      RunQuery store, PipelineProgress progress, PageTokens tokens, CostGuard guard, Clock clock) {
    return new ListingAttributes(store, progress, tokens, guard, clock);
  }

  @Bean
  DescribingMetrics describingMetrics(
      ReadSeries series, PipelineProgress progress, PageTokens tokens, Clock clock) {
    return new DescribingMetrics(series, progress, tokens, clock);
  }

  @Bean
  ExportingMetrics exportingMetrics(
      ReadSeries series,
      PipelineProgress progress,
      CostGuard guard,
      QueryProperties properties,
      Clock clock) {
    return new ExportingMetrics(series, progress, guard, properties.greatestResult(), clock);
  }

  @Bean
  PrometheusQueries prometheusQueries(
      QueryingMetrics metrics,
      ListingAttributes attributes,
      ReadSeries series,
      PipelineProgress progress,
      Clock clock) {
    return new PrometheusQueries(metrics, attributes, series, progress, clock);
  }

  @Bean
  MetricsRateLimit metricsRateLimit(
      QueryProperties properties, CallerOfRequest callers, Clock clock) {
    return new MetricsRateLimit(
        properties.requestsPerMinute(), properties.exportsPerHour(), callers, clock);
  }
}

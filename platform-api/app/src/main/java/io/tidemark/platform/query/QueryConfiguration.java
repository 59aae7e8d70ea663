package io.tidemark.platform.query;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.catalog.CatalogMetric;
import io.tidemark.platform.catalog.MetricCatalog;
import io.tidemark.platform.query.application.AgesOfStores;
import io.tidemark.platform.query.application.CostGuard;
import io.tidemark.platform.query.application.DescribingMetrics;
import io.tidemark.platform.query.application.ExportingMetrics;
import io.tidemark.platform.query.application.KnowDeclaredMetrics;
import io.tidemark.platform.query.application.KnowDeclaredMetrics.Declared;
import io.tidemark.platform.query.application.KnowDeclaredMetrics.Stage;
import io.tidemark.platform.query.application.KnowHiddenTimes;
import io.tidemark.platform.query.application.KnowMetricKinds;
import io.tidemark.platform.query.application.KnowStoreAges;
import io.tidemark.platform.query.application.KnowStoreOffsets;
import io.tidemark.platform.query.application.ListingAttributes;
import io.tidemark.platform.query.application.OpenMinutes;
import io.tidemark.platform.query.application.PageTokens;
import io.tidemark.platform.query.application.PipelineProgress;
import io.tidemark.platform.query.application.PrometheusQueries;
import io.tidemark.platform.query.application.QueryingMetrics;
import io.tidemark.platform.query.application.ReadSeries;
import io.tidemark.platform.query.application.RecentFirst;
import io.tidemark.platform.query.application.RecentMinutes;
import io.tidemark.platform.query.application.RunQuery;
import io.tidemark.platform.query.application.ShownRows;
import io.tidemark.platform.query.application.StoresByAge;
import io.tidemark.platform.query.domain.Source;
import io.tidemark.platform.query.domain.StoreAges;
import io.tidemark.platform.query.druid.DruidBroker;
import io.tidemark.platform.query.druid.DruidHealth;
import io.tidemark.platform.query.druid.DruidHttp;
import io.tidemark.platform.query.druid.DruidKeeping;
import io.tidemark.platform.query.druid.DruidMetricKinds;
import io.tidemark.platform.query.druid.DruidOffsets;
import io.tidemark.platform.query.druid.DruidSeries;
import io.tidemark.platform.query.druid.HiddenFilter;
import io.tidemark.platform.query.iceberg.LakeCatalog;
import io.tidemark.platform.query.iceberg.LakeStore;
import io.tidemark.platform.query.kafka.LakeOffsets;
import io.tidemark.platform.query.kafka.LiveReader;
import io.tidemark.platform.query.kafka.PipelineConsumers;
import io.tidemark.platform.query.kafka.ProgressReader;
import io.tidemark.platform.query.kafka.RecentReader;
import io.tidemark.platform.query.web.MetricsRateLimit;
import io.tidemark.platform.retention.HiddenRows;
import io.tidemark.platform.retention.Level;
import io.tidemark.platform.shared.CallerOfRequest;
import io.tidemark.platform.shared.IdentifierSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.json.JsonMapper;

/** Puts the module together. */
@Configuration(proxyBeanMethods = false)
class QueryConfiguration {

  private static final int GREATEST_CATALOGUE = 100_000;
  private static final KnowStoreOffsets.StoreState UNKNOWN =
      new KnowStoreOffsets.StoreState(Map.of(), false);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  @Bean
  DruidHttp druidHttp(QueryProperties properties) {
    return new DruidHttp(http, properties.broker(), properties.timeout(), properties.patience());
  }

  /** What retention hides is no answer, whether it is removed already or not. */
  @Bean
  HiddenFilter hiddenFilter(HiddenRows rows) {
    JsonMapper json = JsonMapper.builder().build();
    return (organization, source) ->
        rows.filter(organization, level(source)).map(filter -> json.valueToTree(filter));
  }

  @Bean
  KnowHiddenTimes hiddenTimes(HiddenRows rows) {
    return (readable, level, metric) ->
        rows.before(
            readable.organization(),
            readable::holds,
            switch (level) {
              case MINUTE -> Level.MINUTES;
              case HOUR -> Level.HOURS;
              case DAY -> Level.DAYS;
            },
            metric);
  }

  /** One of each name; a catalogue of more metrics is not read to its end. */
  @Bean
  KnowDeclaredMetrics declaredMetrics(MetricCatalog catalog) {
    return readable -> {
      Map<String, Declared> declared = new HashMap<>();
      for (CatalogMetric metric :
          catalog.ofOrganization(readable.organization(), GREATEST_CATALOGUE)) {
        if (!readable.holds(metric.environment().value())) {
          continue;
        }
        declared.merge(
            metric.name(),
            new Declared(
                metric.declared() == null ? "" : metric.declared().description(),
                Stage.valueOf(metric.lifecycle().name())),
            Declared::and);
      }
      return declared;
    };
  }

  private static Level level(Source source) {
    return switch (source) {
      case MINUTES, MINUTES_IN_DETAIL -> Level.MINUTES;
      case HOURS -> Level.HOURS;
      case DAYS -> Level.DAYS;
    };
  }

  @Bean
  @Primary
  RunQuery storesOfRows(
      DruidHttp druid,
      HiddenFilter hidden,
      Optional<LakeStore> lake,
      RecentMinutes recent,
      QueryProperties properties,
      IdentifierSource identifiers) {
    // With the callers' own, twice as many queries at a time as turns: what a lane of Druid takes.
    Executor beside =
        Executors.newFixedThreadPool(
            properties.interactive(),
            work -> {
              Thread thread = new Thread(work, "query-parts");
              thread.setDaemon(true);
              return thread;
            });
    RunQuery broker =
        new DruidBroker(druid, hidden, identifiers, properties.greatestResult(), beside);
    return new RecentFirst(
        recent, lake.<RunQuery>map(older -> new StoresByAge(broker, older)).orElse(broker));
  }

  @Bean
  ShownRows shownRows(HiddenRows hidden) {
    return (organization, source) -> hidden.shownFrom(organization, level(source))::of;
  }

  @Bean
  RecentMinutes recentMinutes(
      QueryProperties properties,
      ProgressReader progress,
      ShownRows shown,
      MeterRegistry meters,
      Clock clock) {
    if (properties.recentRows() == 0) {
      return RecentMinutes.NONE;
    }
    RecentReader reader =
        new RecentReader(
            () -> PipelineConsumers.of(properties.kafka(), "platform-api-recent-rows"),
            () -> progress.taken(Source.MINUTES),
            shown,
            new RecentReader.Size(
                properties.recent(), properties.recentRows(), properties.greatestResult()),
            clock);
    Gauge.builder("tidemark.query.recent_rows", reader, RecentReader::size)
        .description("Rows of recent minutes that are kept in memory")
        .register(meters);
    return reader;
  }

  @Bean
  KnowMetricKinds metricKinds(
      DruidHttp druid,
      HiddenFilter hidden,
      OpenMinutes openMinutes,
      Optional<LakeStore> lake,
      KnowStoreAges ages,
      IdentifierSource identifiers,
      Clock clock) {
    return new DruidMetricKinds(
        druid,
        hidden,
        openMinutes,
        (organization, metric) ->
            lake.filter(older -> ages.of(organization).needLake())
                .map(older -> older.kindsOf(organization, metric))
                .orElse(Set.of()),
        identifiers,
        clock);
  }

  @Bean
  OpenMinutes openMinutes(
      QueryProperties properties,
      PipelineProgress progress,
      HiddenRows hidden,
      MeterRegistry meters,
      Clock clock) {
    if (properties.openCells() == 0) {
      return OpenMinutes.NONE;
    }
    LiveReader reader =
        new LiveReader(
            () -> PipelineConsumers.of(properties.kafka(), "platform-api-open-minutes"),
            progress,
            hidden::environments,
            properties.openCells(),
            clock);
    Gauge.builder("tidemark.query.open_cells", reader, LiveReader::size)
        .description("Series in open minutes that are kept in memory")
        .register(meters);
    return reader;
  }

  @Bean
  ProgressReader pipelineProgress(QueryProperties properties, Optional<DruidKeeping> keeping) {
    KnowStoreOffsets offsets =
        properties.hasCoordinator()
            ? new DruidOffsets(http, URI.create(properties.druidCoordinator()))
            : () -> UNKNOWN;
    return new ProgressReader(
        properties.kafka(), offsets, keeping.map(druid -> lakeOffsets(properties, druid)));
  }

  /** Nobody asks how far the lake is while Druid keeps everything. */
  private static KnowStoreOffsets lakeOffsets(QueryProperties properties, DruidKeeping druid) {
    LakeOffsets lake = new LakeOffsets(properties.kafka());
    return () -> druid.isForever() ? UNKNOWN : lake.now();
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.lake.catalog:}' != ''")
  DruidKeeping druidKeeping(QueryProperties properties) {
    return new DruidKeeping(http, URI.create(properties.druidCoordinator()));
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.druid-coordinator:}' != ''")
  DruidHealth druidHealth(QueryProperties properties, MeterRegistry meters) {
    return new DruidHealth(http, URI.create(properties.druidCoordinator()), meters);
  }

  @Bean
  PageTokens pageTokens(QueryProperties properties) {
    return new PageTokens(properties.pageTokenSecret());
  }

  @Bean
  CostGuard costGuard(QueryProperties properties) {
    return new CostGuard(
        properties.slowFrom(),
        properties.greatestRows(),
        properties.greatestLakeRows(),
        properties.turns());
  }

  @Bean
  KnowStoreAges storeAges(
      Optional<DruidKeeping> keeping, Optional<ProgressReader> progress, Clock clock) {
    return keeping
        .<KnowStoreAges>map(
            druid ->
                new AgesOfStores(
                    druid,
                    organization ->
                        progress.flatMap(reader -> reader.lakeCompleteUntil(organization)),
                    clock))
        .orElse(organization -> StoreAges.DRUID_ALONE);
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.lake.catalog:}' != ''")
  LakeCatalog lakeCatalog(QueryProperties properties) {
    QueryProperties.Lake lake = properties.lake();
    return new LakeCatalog(
        new LakeCatalog.Place(
            lake.catalog(), lake.user(), lake.password(), lake.warehouse(), lake.namespace()));
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.lake.catalog:}' != ''")
  LakeStore lakeStore(LakeCatalog catalog, ShownRows shown, QueryProperties properties) {
    return new LakeStore(catalog, shown, properties.timeout(), properties.greatestResult());
  }

  @Bean
  QueryingMetrics queryingMetrics(
      RunQuery store,
      PipelineProgress progress,
      OpenMinutes openMinutes,
      KnowMetricKinds kinds,
      KnowHiddenTimes hidden,
      KnowStoreAges ages,
      PageTokens tokens,
      CostGuard guard,
      QueryProperties properties,
      Clock clock) {
    return new QueryingMetrics(
        store,
        progress,
        openMinutes,
        kinds,
        hidden,
        ages,
        tokens,
        guard,
        properties.greatestResult(),
        clock);
  }

  @Bean
  ReadSeries druidSeries(
      DruidHttp druid, HiddenFilter hidden, IdentifierSource identifiers, Clock clock) {
    return new DruidSeries(druid, hidden, identifiers, clock);
  }

  @Bean
  ListingAttributes listingAttributes(
      RunQuery store,
      PipelineProgress progress,
      OpenMinutes openMinutes,
      KnowStoreAges ages,
      PageTokens tokens,
      CostGuard guard,
      Clock clock) {
    return new ListingAttributes(store, progress, openMinutes, ages, tokens, guard, clock);
  }

  @Bean
  DescribingMetrics describingMetrics(
      ReadSeries series,
      PipelineProgress progress,
      KnowDeclaredMetrics declared,
      PageTokens tokens,
      Clock clock) {
    return new DescribingMetrics(series, progress, declared, tokens, clock);
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

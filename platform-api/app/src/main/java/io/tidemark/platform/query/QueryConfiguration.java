package io.tidemark.platform.query;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.catalog.CatalogMetric;
import io.tidemark.platform.catalog.MetricCatalog;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.completeness.PlacedOffsets;
import io.tidemark.platform.completeness.StoreOffsets;
import io.tidemark.platform.completeness.druid.DruidHealth;
import io.tidemark.platform.completeness.druid.DruidOffsets;
import io.tidemark.platform.completeness.kafka.CompletenessAge;
import io.tidemark.platform.completeness.kafka.LakeOffsets;
import io.tidemark.platform.completeness.kafka.OpenMinuteConsumer;
import io.tidemark.platform.completeness.kafka.ProgressConsumer;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidEncryption;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.druid.DruidJsonClient;
import io.tidemark.platform.druid.SupervisedPlacements;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.metricstore.CrossTenantStoreSizes;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.MetricTypeResolver;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.RecentCacheStore;
import io.tidemark.platform.metricstore.RecentMinutes;
import io.tidemark.platform.metricstore.RetentionBoundaries;
import io.tidemark.platform.metricstore.SeriesCounter;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.metricstore.StoreTierResolver;
import io.tidemark.platform.metricstore.StoreTiers;
import io.tidemark.platform.metricstore.TieredMetricStore;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.metricstore.druid.CrossTenantDruidSizes;
import io.tidemark.platform.metricstore.druid.DruidBroker;
import io.tidemark.platform.metricstore.druid.DruidLoadRules;
import io.tidemark.platform.metricstore.druid.DruidMetricTypeResolver;
import io.tidemark.platform.metricstore.druid.DruidPointCounts;
import io.tidemark.platform.metricstore.druid.DruidSeriesCounter;
import io.tidemark.platform.metricstore.druid.DruidSeriesStore;
import io.tidemark.platform.metricstore.druid.HiddenFilter;
import io.tidemark.platform.metricstore.iceberg.CrossTenantLakeSizes;
import io.tidemark.platform.metricstore.iceberg.LakeCatalog;
import io.tidemark.platform.metricstore.iceberg.LakeStore;
import io.tidemark.platform.metricstore.recent.RecentRowConsumer;
import io.tidemark.platform.query.application.CostGuard;
import io.tidemark.platform.query.application.DeclaredMetricLookup;
import io.tidemark.platform.query.application.DeclaredMetricLookup.Declared;
import io.tidemark.platform.query.application.DeclaredMetricLookup.Stage;
import io.tidemark.platform.query.application.LabelValueService;
import io.tidemark.platform.query.application.MetricDescriptorService;
import io.tidemark.platform.query.application.MetricExporter;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.query.application.PageTokens;
import io.tidemark.platform.query.application.UnknownNameFinder;
import io.tidemark.platform.replicas.SharedCounts;
import io.tidemark.platform.retention.Level;
import io.tidemark.platform.retention.RetentionFilter;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.RolesProperties;
import io.tidemark.platform.shared.SpanRecorder;
import io.tidemark.platform.usage.UsageTally;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.json.JsonMapper;

/**
 * Puts the module together. Services of other modules ask stores, too, so these are in every
 * process; what follows the pipeline is where it is needed.
 */
@Configuration(proxyBeanMethods = false)
class QueryConfiguration {

  private static final int MAX_CATALOGUE = 100_000;
  private static final Duration PLACEMENTS_TIMEOUT = Duration.ofSeconds(1);
  private static final StoreOffsets.StoreState UNKNOWN =
      new StoreOffsets.StoreState(Map.of(), false);

  private final HttpClient http =
      DruidEncryption.client()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  @Bean
  DruidHttp druidHttp(QueryProperties properties, SpanRecorder spans) {
    return new DruidHttp(
        http, properties.broker(), properties.timeout(), properties.patience(), spans);
  }

  /** Without a coordinator nobody has datasources of their own: there is no stream to place. */
  @Bean
  DatasourcePlacements datasourcePlacements(QueryProperties properties, Clock clock) {
    return properties.hasCoordinator()
        ? new SupervisedPlacements(
            new DruidJsonClient(properties.druidCoordinator(), PLACEMENTS_TIMEOUT)::find,
            Arrays.stream(Source.values()).map(Source::datasource).toList(),
            clock)
        : DatasourcePlacements.NONE;
  }

  /** What retention hides is no answer, whether it is removed already or not. */
  @Bean
  HiddenFilter hiddenFilter(RetentionFilter rows) {
    JsonMapper json = JsonMapper.builder().build();
    return (organization, source) ->
        rows.filter(organization, level(source)).map(filter -> json.valueToTree(filter));
  }

  @Bean
  RetentionBoundaries hiddenTimes(RetentionFilter rows) {
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
  DeclaredMetricLookup declaredMetrics(MetricCatalog catalog) {
    return readable -> {
      Map<String, Declared> declared = new HashMap<>();
      for (CatalogMetric metric : catalog.ofOrganization(readable.organization(), MAX_CATALOGUE)) {
        if (!readable.holds(metric.environment().value())) {
          continue;
        }
        declared.merge(
            metric.name(),
            new Declared(metric.description(), Stage.valueOf(metric.lifecycle().name())),
            Declared::and);
      }
      return declared;
    };
  }

  static Level level(Source source) {
    return switch (source) {
      case MINUTES, MINUTES_IN_DETAIL -> Level.MINUTES;
      case HOURS -> Level.HOURS;
      case DAYS -> Level.DAYS;
    };
  }

  @Bean
  @Primary
  MetricStore storesOfRows(
      DruidHttp druid,
      HiddenFilter hidden,
      DatasourcePlacements placements,
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
    MetricStore broker =
        new DruidBroker(druid, hidden, placements, identifiers, properties.maxResult(), beside);
    return new RecentCacheStore(
        recent,
        lake.<MetricStore>map(older -> new TieredMetricStore(broker, older)).orElse(broker));
  }

  @Bean
  RecentMinutes recentMinutes(
      QueryProperties properties,
      ProgressConsumer progress,
      VisibleRows shown,
      RolesProperties roles,
      MeterRegistry meters,
      Clock clock) {
    if (properties.recentRows() == 0 || !roles.all().contains(ProcessRole.QUERY)) {
      return RecentMinutes.NONE;
    }
    RecentRowConsumer reader =
        new RecentRowConsumer(
            () -> PipelineConsumers.following(properties.kafka(), "platform-api-recent-rows"),
            () -> progress.taken(Source.MINUTES),
            shown,
            new RecentRowConsumer.Size(
                properties.recent(), properties.recentRows(), properties.maxResult()),
            clock);
    Gauge.builder("tidemark.query.recent_rows", reader, RecentRowConsumer::size)
        .description("Rows of recent minutes that are kept in memory")
        .register(meters);
    return reader;
  }

  @Bean
  MetricTypeResolver metricKinds(
      DruidHttp druid,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      OpenMinutes openMinutes,
      Optional<LakeStore> lake,
      StoreTiers ages,
      IdentifierSource identifiers,
      Clock clock) {
    return new DruidMetricTypeResolver(
        druid,
        hidden,
        placements,
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
      ProgressConsumer progress,
      RetentionFilter hidden,
      RolesProperties roles,
      MeterRegistry meters,
      Clock clock) {
    if (properties.openCells() == 0 || !roles.all().contains(ProcessRole.QUERY)) {
      return OpenMinutes.NONE;
    }
    OpenMinuteConsumer reader =
        new OpenMinuteConsumer(
            () -> PipelineConsumers.following(properties.kafka(), "platform-api-open-minutes"),
            progress::lastCompleteUntil,
            hidden::environments,
            properties.openCells(),
            clock);
    Gauge.builder("tidemark.query.open_cells", reader, OpenMinuteConsumer::size)
        .description("Series in open minutes that are kept in memory")
        .register(meters);
    return reader;
  }

  @Bean
  ProgressConsumer pipelineProgress(
      QueryProperties properties,
      RolesProperties roles,
      DatasourcePlacements placements,
      Optional<DruidLoadRules> keeping,
      Clock clock) {
    StoreOffsets offsets =
        properties.hasCoordinator() ? offsets(properties, Source::datasource) : () -> UNKNOWN;
    return new ProgressConsumer(
        properties.kafka(),
        offsets,
        new PlacedOffsets(
            placements,
            placement -> offsets(properties, source -> placement.datasource(source.datasource()))),
        keeping.map(ignored -> new LakeOffsets(properties.kafka())),
        roles.region().isBlank(),
        roles.all().contains(ProcessRole.QUERY) || roles.all().contains(ProcessRole.CONTROL),
        clock);
  }

  /** Of processes that answer queries. */
  @Bean
  @ConditionalOnRole(ProcessRole.QUERY)
  CompletenessAge completenessAge(ProgressConsumer progress, Clock clock) {
    return new CompletenessAge(progress, clock);
  }

  private StoreOffsets offsets(QueryProperties properties, Function<Source, String> datasource) {
    return new DruidOffsets(http, URI.create(properties.druidCoordinator()), datasource);
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.lake.catalog:}' != ''")
  DruidLoadRules druidLoadRules(QueryProperties properties, DatasourcePlacements placements) {
    return new DruidLoadRules(http, URI.create(properties.druidCoordinator()), placements);
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.druid-coordinator:}' != ''")
  @ConditionalOnRole({ProcessRole.QUERY, ProcessRole.CONTROL})
  DruidHealth druidHealth(
      QueryProperties properties, DatasourcePlacements placements, MeterRegistry meters) {
    return new DruidHealth(http, URI.create(properties.druidCoordinator()), placements, meters);
  }

  @Bean
  PageTokens pageTokens(QueryProperties properties) {
    return new PageTokens(properties.pageTokenSecret());
  }

  @Bean
  CostGuard costGuard(QueryProperties properties, SharedCounts counts) {
    return new CostGuard(
        properties.slowFrom(),
        properties.maxRows(),
        properties.maxLakeRows(),
        properties.turns(() -> counts.processesWith(ProcessRole.QUERY)));
  }

  @Bean
  StoreTiers storeTierRanges(
      Optional<DruidLoadRules> keeping,
      Optional<ProgressConsumer> progress,
      DatasourcePlacements placements,
      Clock clock) {
    StoreTiers tiers =
        keeping
            .<StoreTiers>map(
                druid ->
                    new StoreTierResolver(
                        druid,
                        organization ->
                            progress.flatMap(reader -> reader.lakeCompleteUntil(organization)),
                        clock))
            .orElse(organization -> StoreTierRanges.DRUID_ALONE);
    return organization ->
        placements
            .of(organization)
            .map(placement -> placement.from().toEpochMilli())
            .map(from -> tiers.of(organization).withOwnFrom(from))
            .orElseGet(() -> tiers.of(organization));
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.lake.catalog:}' != ''")
  CrossTenantStoreSizes lakeSizes(LakeCatalog catalog) {
    return new CrossTenantLakeSizes(catalog);
  }

  @Bean
  DruidPointCounts druidPointCounts(
      DruidHttp druid, DatasourcePlacements placements, IdentifierSource identifiers) {
    return new DruidPointCounts(druid, placements, identifiers);
  }

  @Bean
  @ConditionalOnExpression("'${tidemark.query.druid-coordinator:}' != ''")
  CrossTenantStoreSizes druidSizes(
      DruidHttp druid,
      QueryProperties properties,
      DatasourcePlacements placements,
      IdentifierSource identifiers) {
    return new CrossTenantDruidSizes(
        druid, new DruidJsonClient(properties.druidCoordinator()), placements, identifiers);
  }

  @Bean
  MetricsQueryService metricsQueryService(
      MetricStore store,
      PipelineProgress progress,
      OpenMinutes openMinutes,
      MetricTypeResolver kinds,
      RetentionBoundaries hidden,
      StoreTiers ages,
      PageTokens tokens,
      CostGuard guard,
      SeriesStore series,
      UsageTally tally,
      QueryProperties properties,
      Clock clock) {
    return new MetricsQueryService(
        store,
        progress,
        openMinutes,
        kinds,
        hidden,
        ages,
        tokens,
        guard,
        new UnknownNameFinder(series, progress, clock),
        properties.maxResult(),
        new UsageQueryMeter(tally),
        clock);
  }

  @Bean
  SeriesStore druidSeriesStore(
      DruidHttp druid,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      CostGuard guard,
      IdentifierSource identifiers,
      Clock clock) {
    return new DruidSeriesStore(druid, hidden, placements, guard, identifiers, clock);
  }

  @Bean
  SeriesCounter seriesCounter(
      DruidHttp druid,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      CostGuard guard,
      IdentifierSource identifiers) {
    return new DruidSeriesCounter(druid, hidden, placements, guard, identifiers);
  }

  @Bean
  LabelValueService labelValueService(
      MetricStore store,
      PipelineProgress progress,
      OpenMinutes openMinutes,
      StoreTiers ages,
      PageTokens tokens,
      CostGuard guard,
      Clock clock) {
    return new LabelValueService(store, progress, openMinutes, ages, tokens, guard, clock);
  }

  @Bean
  MetricDescriptorService metricDescriptorService(
      SeriesStore series,
      PipelineProgress progress,
      DeclaredMetricLookup declared,
      PageTokens tokens,
      Clock clock) {
    return new MetricDescriptorService(series, progress, declared, tokens, clock);
  }

  @Bean
  MetricExporter metricExporter(
      SeriesStore series,
      PipelineProgress progress,
      CostGuard guard,
      QueryProperties properties,
      Clock clock) {
    return new MetricExporter(series, progress, guard, properties.maxResult(), clock);
  }
}

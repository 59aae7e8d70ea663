package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static io.tidemark.flink.model.rollup.RollupLevel.DAY;
import static io.tidemark.flink.model.rollup.RollupLevel.HOUR;
import static io.tidemark.flink.model.rollup.RollupLevel.MINUTE;

import io.tidemark.flink.io.budgets.BudgetSink;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.deadletters.DeadLetterSink;
import io.tidemark.flink.io.live.OpenMinuteSink;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.io.progress.ProgressSink;
import io.tidemark.flink.io.routes.RouteSink;
import io.tidemark.flink.io.rows.RowSink;
import io.tidemark.flink.io.usage.IncrementSink;
import io.tidemark.flink.io.usage.TakenHourSink;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.rollup.operator.TakenHourCollector;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Entry point: reads its arguments, connects Kafka to the topology, submits. */
public final class RollupJob {

  static final String NAME = "rollup";
  static final String CONSUMER_GROUP = "tidemark-rollup";

  private RollupJob() {}

  public static void main(String[] arguments) throws Exception {
    RollupConfig config = RollupConfig.parse(arguments);
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    build(environment, config);
    environment.execute(NAME);
  }

  static void build(StreamExecutionEnvironment environment, RollupConfig config) {
    DataStream<ControlRecord> tenants =
        named(
            control(environment, config, config.tenantsTopic()),
            "rollup-tenants-source",
            "Read control records of tenants");
    DataStream<ControlRecord> metrics =
        named(
            control(environment, config, config.metricsTopic()),
            "rollup-metrics-source",
            "Read control records of metrics");
    build(
        environment,
        config,
        PointsSource.of(config.source().brokers(), config.pointsTopic(), config.source().group()),
        tenants,
        metrics);
  }

  /** The job with sources that end: benchmarks read so far and no further. */
  public static void build(
      StreamExecutionEnvironment environment,
      RollupConfig config,
      Source<PointsRecord, ?, ?> points,
      DataStream<ControlRecord> tenants,
      DataStream<ControlRecord> metrics) {
    neverDiffer(environment);
    Configuration state = new Configuration();
    state.set(RocksDBOptions.OPTIONS_FACTORY, PaneStateOptions.class.getName());
    environment.configure(state);
    RollupRules rules =
        RollupRules.DEFAULT
            .withLiveCells(config.liveCellsPerSecond())
            .withOrganizationLimits(config.organizations());
    rules = config.isMetered() ? rules : rules.withoutMetering();
    DataStream<PointsRecord> records =
        named(
            environment.fromSource(
                points,
                PointsSource.watermarks(rules.outOfOrderness(), rules.idleness()),
                "points"),
            "rollup-points-source",
            "Read accepted batches");
    RollupStreams streams =
        RollupTopology.define(records, tenants, metrics, config.pointsTopic(), rules);
    named(
        streams.minutes().sinkTo(rows(config, config.minuteTopic(), MINUTE)),
        "rollup-rows-sink",
        "Write one-minute rows exactly once");
    named(
        apart(streams.hours()).sinkTo(rows(config, config.hourTopic(), HOUR)),
        "rollup-1h-rows-sink",
        "Write one-hour rows exactly once");
    named(
        apart(streams.days()).sinkTo(rows(config, config.dayTopic(), DAY)),
        "rollup-1d-rows-sink",
        "Write one-day rows exactly once");
    writeSplit(streams, config);
    named(
        streams
            .budgets()
            .sinkTo(BudgetSink.of(config.brokers(), config.budgetsTopic(), config.transactions())),
        "rollup-budgets-sink",
        "Write exceeded budgets exactly once");
    named(
        streams
            .deadLetters()
            .sinkTo(
                DeadLetterSink.of(
                    config.brokers(), config.deadLettersTopic(), config.transactions())),
        "rollup-dead-letters-sink",
        "Write dead letters exactly once");
    named(
        streams
            .progress()
            .sinkTo(
                ProgressSink.of(config.brokers(), config.watermarksTopic(), config.transactions()))
            .setParallelism(1),
        "rollup-progress-sink",
        "Write how far rows are complete exactly once");
    writeTaken(streams, config);
    if (config.isMetered()) {
      named(
          streams
              .increments()
              .sinkTo(
                  IncrementSink.of(
                      config.brokers(), config.incrementsTopic(), config.transactions())),
          "rollup-increments-sink",
          "Write increments of usage exactly once");
    }
    if (config.liveCellsPerSecond() > 0) {
      named(
          streams.live().sinkTo(OpenMinuteSink.of(config.brokers(), config.liveTopic())),
          "rollup-live-sink",
          "Write open minutes at least once");
    }
  }

  /** Here and not in the topology: what is computed again was counted when it was computed. */
  private static void writeTaken(RollupStreams streams, RollupConfig config) {
    DataStream<TakenHour> hours =
        named(
            streams
                .taken()
                .keyBy(TakenPoints::key, Types.STRING)
                .process(
                    new TakenHourCollector(UsageFlushRule.DEFAULT),
                    TypeInformation.of(TakenHour.class))
                .setParallelism(1),
            "rollup-taken-hours",
            "Count the points of an hour");
    named(
        hours
            .sinkTo(TakenHourSink.of(config.brokers(), config.usageTopic(), config.transactions()))
            .setParallelism(1),
        "rollup-usage-sink",
        "Write counted points exactly once");
  }

  private static void writeSplit(RollupStreams streams, RollupConfig config) {
    named(
        streams.reduced().minutes().sinkTo(reduced(config, config.minuteTopic(), MINUTE)),
        "rollup-reduced-rows-sink",
        "Write reduced one-minute rows exactly once");
    named(
        apart(streams.reduced().hours()).sinkTo(reduced(config, config.hourTopic(), HOUR)),
        "rollup-reduced-1h-rows-sink",
        "Write reduced one-hour rows exactly once");
    named(
        apart(streams.reduced().days()).sinkTo(reduced(config, config.dayTopic(), DAY)),
        "rollup-reduced-1d-rows-sink",
        "Write reduced one-day rows exactly once");
    named(
        apart(streams.splitMinutes())
            .sinkTo(
                RowSink.ofSplit(
                    config.brokers(), config.splitMinuteTopic(), config.transactions())),
        "rollup-split-rows-sink",
        "Write one-minute rows of split metrics exactly once");
    named(
        streams
            .routes()
            .sinkTo(RouteSink.of(config.brokers(), config.routesTopic(), config.transactions())),
        "rollup-routes-sink",
        "Write which minutes are split exactly once");
  }

  private static SingleOutputStreamOperator<ControlRecord> control(
      StreamExecutionEnvironment environment, RollupConfig config, String topic) {
    return environment
        .fromSource(
            ControlSource.of(config.source().brokers(), topic, config.source().group()),
            ControlSource.withoutEventTime(),
            topic)
        .setParallelism(1)
        // Few records: each is sent on at once, and no thread looks for what waits.
        .setBufferTimeout(0);
  }

  /**
   * A stream of little traffic, in a task of its own: each sink begins a transaction at every
   * barrier, and the task that holds the panes should wait for no more than one of them.
   */
  private static DataStream<byte[]> apart(DataStream<byte[]> rows) {
    return rows.rescale();
  }

  private static Sink<byte[]> reduced(RollupConfig config, String topic, RollupLevel level) {
    return RowSink.ofReduced(config.brokers(), topic, level, config.transactions());
  }

  private static Sink<byte[]> rows(RollupConfig config, String topic, RollupLevel level) {
    return RowSink.of(config.brokers(), topic, level, config.transactions());
  }

  /** What no cluster configuration may change: what state means, and what operators rely on. */
  public static void neverDiffer(StreamExecutionEnvironment environment) {
    Configuration fixed = new Configuration();
    fixed.set(PipelineOptions.GENERIC_TYPES, false);
    fixed.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    fixed.set(PipelineOptions.MAX_PARALLELISM, RollupTopology.KEY_GROUPS);
    // No operator keeps or changes what it was given or has sent, so none needs a copy.
    fixed.set(PipelineOptions.OBJECT_REUSE, true);
    environment.configure(fixed);
  }
}

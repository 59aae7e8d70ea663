package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.budgets.BudgetSink;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.deadletters.DeadLetterSink;
import io.tidemark.flink.io.live.LiveTopicSink;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.PointsSource;
import io.tidemark.flink.io.progress.ProgressSink;
import io.tidemark.flink.io.rows.RowSink;
import io.tidemark.flink.model.rollup.RollupLevel;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Entry point: reads its arguments, connects Kafka to the topology, submits. */
public final class RollupJob {

  static final String NAME = "rollup";
  private static final String CONSUMER_GROUP = "tidemark-rollup";

  private RollupJob() {}

  public static void main(String[] arguments) throws Exception {
    RollupConfig config = RollupConfig.parse(arguments);
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    build(environment, config);
    environment.execute(NAME);
  }

  static void build(StreamExecutionEnvironment environment, RollupConfig config) {
    build(
        environment,
        config,
        PointsSource.of(config.bootstrapServers(), config.pointsTopic(), CONSUMER_GROUP));
  }

  /** The job with another end of its source: benchmarks read so far and no further. */
  public static void build(
      StreamExecutionEnvironment environment,
      RollupConfig config,
      Source<PointsRecord, ?, ?> points) {
    neverDiffer(environment);
    RollupRules rules = RollupRules.DEFAULT.withLiveCells(config.liveCellsPerSecond());
    DataStream<PointsRecord> records =
        named(
            environment.fromSource(
                points,
                PointsSource.watermarks(rules.outOfOrderness(), rules.idleness()),
                "points"),
            "rollup-points-source",
            "Read accepted batches");
    DataStream<ControlRecord> tenants =
        named(
            environment
                .fromSource(
                    ControlSource.of(
                        config.bootstrapServers(), config.tenantsTopic(), CONSUMER_GROUP),
                    ControlSource.withoutEventTime(),
                    "tenants")
                .setParallelism(1),
            "rollup-tenants-source",
            "Read control records of tenants");
    RollupStreams streams = RollupTopology.define(records, tenants, config.pointsTopic(), rules);
    named(
        streams.minutes().sinkTo(rows(config, config.minuteTopic(), RollupLevel.MINUTE)),
        "rollup-rows-sink",
        "Write one-minute rows exactly once");
    named(
        streams.hours().sinkTo(rows(config, config.hourTopic(), RollupLevel.HOUR)),
        "rollup-1h-rows-sink",
        "Write one-hour rows exactly once");
    named(
        streams.days().sinkTo(rows(config, config.dayTopic(), RollupLevel.DAY)),
        "rollup-1d-rows-sink",
        "Write one-day rows exactly once");
    named(
        streams
            .budgets()
            .sinkTo(
                BudgetSink.of(
                    config.bootstrapServers(), config.budgetsTopic(), config.transactions())),
        "rollup-budgets-sink",
        "Write exceeded budgets exactly once");
    named(
        streams
            .deadLetters()
            .sinkTo(
                DeadLetterSink.of(
                    config.bootstrapServers(), config.deadLettersTopic(), config.transactions())),
        "rollup-dead-letters-sink",
        "Write dead letters exactly once");
    named(
        streams
            .progress()
            .sinkTo(
                ProgressSink.of(
                    config.bootstrapServers(), config.watermarksTopic(), config.transactions()))
            .setParallelism(1),
        "rollup-progress-sink",
        "Write how far rows are complete exactly once");
    if (config.liveCellsPerSecond() > 0) {
      named(
          streams.live().sinkTo(LiveTopicSink.of(config.bootstrapServers(), config.liveTopic())),
          "rollup-live-sink",
          "Write open minutes at least once");
    }
  }

  private static KafkaSink<byte[]> rows(RollupConfig config, String topic, RollupLevel level) {
    return RowSink.of(config.bootstrapServers(), topic, level, config.transactions());
  }

  /** What no cluster configuration may change: it would make stored state unreadable. */
  public static void neverDiffer(StreamExecutionEnvironment environment) {
    Configuration fixed = new Configuration();
    fixed.set(PipelineOptions.GENERIC_TYPES, false);
    fixed.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    fixed.set(PipelineOptions.MAX_PARALLELISM, RollupTopology.KEY_GROUPS);
    environment.configure(fixed);
  }
}

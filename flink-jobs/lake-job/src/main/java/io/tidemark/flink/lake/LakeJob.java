package io.tidemark.flink.lake;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.io.removals.RemovalTopics;
import io.tidemark.flink.io.removals.RemovalTopics.TableTopic;
import io.tidemark.flink.io.rows.RowSource;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Entry point: reads its arguments, connects Kafka to the lake's tables, submits. */
public final class LakeJob {

  static final String NAME = "lake";
  static final String CONSUMER_GROUP = "tidemark-lake";

  private static final Duration QUIET_INTERVAL = Duration.ofSeconds(1);

  /** As in the rollup job: both forget a batch at the same point of the stream. */
  private static final Duration OUT_OF_ORDERNESS = Duration.ofSeconds(5);

  private static final Duration IDLENESS = Duration.ofSeconds(5);

  private LakeJob() {}

  public static void main(String[] arguments) throws Exception {
    LakeConfig config = LakeConfig.parse(arguments);
    if (System.getenv(LakeAccess.PASSWORD) == null) {
      throw new IllegalArgumentException(
          "The lake job cannot start: the environment variable "
              + LakeAccess.PASSWORD
              + " is not set for the Flink processes");
    }
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    build(environment, config);
    environment.execute(NAME);
  }

  static void build(StreamExecutionEnvironment environment, LakeConfig config) {
    neverDiffer(environment, config.commitInterval());
    LakeTopology.points(
        named(
            environment.fromSource(
                PointsSource.gathered(
                    config.source().brokers(), config.pointsTopic(), config.source().group()),
                PointsSource.watermarks(OUT_OF_ORDERNESS, IDLENESS),
                "points"),
            "lake-points-source",
            "Read accepted batches"),
        named(
            environment
                .fromSource(
                    ControlSource.of(
                        config.source().brokers(), config.tenantsTopic(), config.source().group()),
                    ControlSource.withoutEventTime(),
                    "tenants")
                .setParallelism(1),
            "lake-tenants-source",
            "Read control records of tenants"),
        config.table("raw_points"),
        care(config));
    rollups(environment, config, config.minuteTopic(), "rollup-1m", "rollup_1m");
    rollups(environment, config, config.splitMinuteTopic(), "rollup-1m-hc", "rollup_1m_hc");
    rollups(environment, config, config.hourTopic(), "rollup-1h", "rollup_1h");
    rollups(environment, config, config.dayTopic(), "rollup-1d", "rollup_1d");
  }

  private static void rollups(
      StreamExecutionEnvironment environment,
      LakeConfig config,
      String topic,
      String level,
      String table) {
    LakeTopology.rollups(
        named(
            environment.fromSource(
                RowSource.of(config.brokers(), topic, CONSUMER_GROUP),
                WatermarkStrategy.noWatermarks(),
                level),
            "lake-" + level + "-source",
            "Read committed rows of " + table),
        level,
        config.table(table),
        care(config));
  }

  private static LakeTopology.Care care(LakeConfig config) {
    return new LakeTopology.Care(
        config.upkeepInterval(), config.keepSnapshots(), config.orphanAge(), removals(config));
  }

  /** A second region is told by the first, and reports to its own Kafka. */
  static RemovalTopics removals(LakeConfig config) {
    return new RemovalTopics(
        config.source().brokers(),
        config.removalsTopic(),
        config.brokers(),
        config.removalReportsTopic(),
        Map.of(
            "raw_points",
            new TableTopic(
                config.source().brokers(), config.pointsTopic(), config.source().group()),
            "rollup_1m",
            ownTopic(config, config.minuteTopic()),
            "rollup_1m_hc",
            ownTopic(config, config.splitMinuteTopic()),
            "rollup_1h",
            ownTopic(config, config.hourTopic()),
            "rollup_1d",
            ownTopic(config, config.dayTopic())));
  }

  private static TableTopic ownTopic(LakeConfig config, String topic) {
    return new TableTopic(config.brokers(), topic, CONSUMER_GROUP);
  }

  /** What no cluster configuration may change: state would be unreadable, files too small. */
  static void neverDiffer(StreamExecutionEnvironment environment, Duration commitInterval) {
    Configuration fixed = new Configuration();
    fixed.set(PipelineOptions.GENERIC_TYPES, false);
    fixed.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    fixed.set(PipelineOptions.MAX_PARALLELISM, LakeTopology.KEY_GROUPS);
    fixed.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, commitInterval);
    // No operator keeps or changes what it was given or has sent, so none needs a copy.
    fixed.set(PipelineOptions.OBJECT_REUSE, true);
    // Nobody waits for what this job writes; waking up less often costs less.
    fixed.set(ExecutionOptions.BUFFER_TIMEOUT, QUIET_INTERVAL);
    fixed.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, QUIET_INTERVAL);
    environment.configure(fixed);
  }
}

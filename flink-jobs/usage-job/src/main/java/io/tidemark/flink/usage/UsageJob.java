package io.tidemark.flink.usage;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.usage.IncrementSource;
import io.tidemark.flink.model.usage.UsageFlushRule;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Entry point: reads its arguments, connects Kafka to the topology, submits. */
public final class UsageJob {

  static final String NAME = "usage";

  /** Whose committed offsets a job without a checkpoint goes by. */
  public static final String CONSUMER_GROUP = "tidemark-usage";

  private static final Duration QUIET_INTERVAL = Duration.ofSeconds(1);

  private UsageJob() {}

  public static void main(String[] arguments) throws Exception {
    UsageConfig config = UsageConfig.parse(arguments);
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    build(environment, config);
    environment.execute(NAME);
  }

  /** The whole job; also of benchmarks. */
  public static void build(StreamExecutionEnvironment environment, UsageConfig config) {
    neverDiffer(environment, config.checkpointInterval());
    named(
        UsageTopology.define(
                named(
                    environment.fromSource(
                        IncrementSource.of(
                            config.brokers(), config.incrementsTopic(), CONSUMER_GROUP),
                        WatermarkStrategy.noWatermarks(),
                        "increments"),
                    "usage-increments-source",
                    "Read committed increments of the rollup job"),
                UsageFlushRule.DEFAULT)
            .sinkTo(
                UsageRecordSink.of(config.brokers(), config.usageTopic(), config.transactions())),
        "usage-records-sink",
        "Write usage records exactly once");
  }

  /** What no cluster configuration may change: state would be unreadable, transactions many. */
  private static void neverDiffer(StreamExecutionEnvironment environment, Duration interval) {
    Configuration fixed = new Configuration();
    fixed.set(PipelineOptions.GENERIC_TYPES, false);
    fixed.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    fixed.set(PipelineOptions.MAX_PARALLELISM, UsageTopology.KEY_GROUPS);
    fixed.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
    // No operator keeps or changes what it was given or has sent, so none needs a copy.
    fixed.set(PipelineOptions.OBJECT_REUSE, true);
    // Nobody waits for what this job writes; waking up less often costs less.
    fixed.set(ExecutionOptions.BUFFER_TIMEOUT, QUIET_INTERVAL);
    fixed.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, QUIET_INTERVAL);
    environment.configure(fixed);
  }
}

package io.tidemark.flink.alert;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.alerts.EvaluationSink;
import io.tidemark.flink.io.alerts.EvaluationUsageSink;
import io.tidemark.flink.io.alerts.TransitionSink;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.live.OpenMinuteSource;
import io.tidemark.flink.io.progress.ProgressSource;
import io.tidemark.flink.io.rows.CompleteRowSource;
import io.tidemark.flink.io.rows.RowBundle;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Entry point: reads its arguments, connects Kafka to the topology, submits. */
public final class AlertJob {

  static final String NAME = "alert";
  private static final String CONSUMER_GROUP = "tidemark-alert";

  /** Few records: each goes on at once, and no thread looks for what waits. */
  private static final long AT_ONCE = 0;

  /** Watermarks come with statements; only that rules have none is said by the clock. */
  private static final Duration SELDOM = Duration.ofSeconds(1);

  /**
   * Rows are read and decided for at least so long between two checkpoints. What was decided asks
   * for one; the interval is for what nobody waits for.
   */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private AlertJob() {}

  public static void main(String[] arguments) throws Exception {
    AlertConfig config = AlertConfig.parse(arguments);
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    build(environment, config);
    environment.execute(NAME);
  }

  static void build(StreamExecutionEnvironment environment, AlertConfig config) {
    neverDiffer(environment, config.checkpointInterval());
    DataStream<RowBundle> rows =
        named(
            environment.fromSource(
                CompleteRowSource.of(
                    config.brokers(),
                    config.minuteTopic(),
                    config.splitMinuteTopic(),
                    config.watermarksTopic(),
                    CONSUMER_GROUP),
                CompleteRowSource.watermarks(),
                "rows"),
            "alert-rows-source",
            "Read committed one-minute rows");
    DataStream<ControlRecord> rules =
        named(
            environment
                .fromSource(
                    ControlSource.of(config.brokers(), config.rulesTopic(), CONSUMER_GROUP),
                    ControlSource.withoutEventTime(),
                    "rules")
                .setParallelism(1)
                .setBufferTimeout(AT_ONCE),
            "alert-rules-source",
            "Read alert rules");
    DataStream<ControlRecord> statements =
        named(
            environment
                .fromSource(
                    ProgressSource.of(config.brokers(), config.watermarksTopic(), CONSUMER_GROUP),
                    ProgressSource.watermarks(),
                    "statements")
                .setParallelism(1)
                .setBufferTimeout(AT_ONCE),
            "alert-statements-source",
            "Read how far rows are complete");
    DataStream<LiveRecord> snapshots =
        named(
            environment.fromSource(
                OpenMinuteSource.of(config.brokers(), config.liveTopic(), CONSUMER_GROUP),
                ControlSource.withoutEventTime(),
                "open-minutes"),
            "alert-open-minutes-source",
            "Read minutes that are not complete yet");
    AlertTopology.Outputs outputs = AlertTopology.define(rows, snapshots, rules, statements);
    named(
        outputs
            .transitions()
            .sinkTo(
                TransitionSink.of(
                    config.brokers(), config.transitionsTopic(), config.transactions())),
        "alert-transitions-sink",
        "Write transitions exactly once");
    named(
        outputs
            .evaluations()
            .sinkTo(
                EvaluationSink.of(
                    config.brokers(), config.evaluationsTopic(), config.transactions()))
            .setParallelism(1),
        "alert-evaluations-sink",
        "Write how far rules are decided");
    named(
        outputs
            .usage()
            .sinkTo(
                EvaluationUsageSink.of(
                    config.brokers(), config.usageTopic(), config.transactions()))
            .setParallelism(1),
        "alert-usage-sink",
        "Write what was evaluated as usage records");
  }

  /** What no cluster configuration may change: what state means, and how soon alerts are seen. */
  static void neverDiffer(StreamExecutionEnvironment environment, Duration checkpointInterval) {
    Configuration fixed = new Configuration();
    fixed.set(PipelineOptions.GENERIC_TYPES, false);
    fixed.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    fixed.set(PipelineOptions.MAX_PARALLELISM, AlertTopology.KEY_GROUPS);
    fixed.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
    // Of interval and pause the longer one holds, and the cluster's pause is longer.
    fixed.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, PAUSE);
    // No operator keeps or changes what it was given or has sent, so none needs a copy.
    fixed.set(PipelineOptions.OBJECT_REUSE, true);
    fixed.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, SELDOM);
    environment.configure(fixed);
  }
}

package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.admission.AdmitBatches;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.SplitRule;
import io.tidemark.flink.rollup.cardinality.MetricSketch;
import io.tidemark.flink.rollup.operator.BudgetOutput;
import io.tidemark.flink.rollup.operator.BundleKeySelector;
import io.tidemark.flink.rollup.operator.CombineOperator;
import io.tidemark.flink.rollup.operator.CompletenessReporterFactory;
import io.tidemark.flink.rollup.operator.IncrementOutput;
import io.tidemark.flink.rollup.operator.RollupOperator;
import io.tidemark.flink.rollup.operator.RouteBroadcaster;
import io.tidemark.flink.rollup.operator.SplitDecider;
import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The job as a paragraph.
 *
 * <pre>
 *  tenants ───────┐ to all            ┌──► decide routes ◄── metrics
 *                 ▼                   │          ▼ to all
 *  records ──► count once ──► decode and combine ──► roll up ──► rows of minutes, hours, days
 *             by batch id             │             by key group ──► split minutes ──► roll up reduced
 *                 ├───────────────────┼──────────────────┼─────► dead letters, exceeded budgets
 *                 └───────────────────┴──────────────────┼─────► progress
 *                                     ├──────────────────┼─────► increments of usage
 *                                     └──────────────────┼─────► points that were taken
 *                                                        └─────► open minutes
 * </pre>
 */
public final class RollupTopology {

  /** State is spread over this many key groups; changing it orphans every savepoint. */
  public static final int KEY_GROUPS = 128;

  /**
   * How long records may wait for others between tasks where nobody waits for them: what they
   * become is visible with a checkpoint, and its barrier sends on what came before it. The thread
   * that looks for what waits wakes up as often, for each stream and subtask.
   */
  private static final long QUIET_MS = 1_000;

  /** Each record goes on at once, and no thread looks for what waits. */
  private static final long AT_ONCE = 0;

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

  private RollupTopology() {}

  /**
   * @param records records of the points topic, with event time and watermarks
   * @param tenants control records of tenants
   * @param metrics control records of metrics
   * @param sourceTopic named in dead letters
   */
  public static RollupStreams define(
      DataStream<PointsRecord> records,
      DataStream<ControlRecord> tenants,
      DataStream<ControlRecord> metrics,
      String sourceTopic,
      RollupRules rules) {
    return define(records, tenants, metrics, List.of(), sourceTopic, rules);
  }

  private static RollupStreams define(
      DataStream<PointsRecord> records,
      DataStream<ControlRecord> tenants,
      DataStream<ControlRecord> metrics,
      List<RouteInterval> published,
      String sourceTopic,
      RollupRules rules) {
    long checkpointInterval = records.getExecutionEnvironment().getCheckpointInterval();
    SingleOutputStreamOperator<AdmittedBatch> batches =
        named(
            records
                .keyBy(AdmitBatches::batchKey, TypeInformation.of(String.class))
                .connect(tenants.broadcast(AdmitBatches.TENANTS))
                .process(
                    new AdmitBatches(rules.resends(), rules.admission()),
                    TypeInformation.of(AdmittedBatch.class)),
            "rollup-count-batches-once",
            "Count byte-identical resends once, for tenants that exist");
    // Of dead letters: batches go on within the task.
    batches.setBufferTimeout(QUIET_MS);

    SingleOutputStreamOperator<byte[]> bundles =
        named(
            batches.transform(
                "combine",
                BYTES,
                new CombineOperator(
                        rules.pointTimes(), rules.outOfOrderness(), rules.longestWait(), KEY_GROUPS)
                    .measuredFrom(rules.splits().measuredFrom())
                    .withPromptness(rules.liveCellsPerSecond() > 0)
                    .withMetering(rules.isMetered())
                    .withOrganizationLimits(rules.organizations())),
            "rollup-combine",
            "Decode OTLP batches and combine points per series and minute");
    bundles.setBufferTimeout(QUIET_MS);
    // In the same task: of what it sends, these two are waited for, and were gathered before.
    SingleOutputStreamOperator<byte[]> sentBundles =
        named(
            bundles.map(bundle -> bundle, BYTES),
            "rollup-sent-bundles",
            "Send bundles to the task of their key group");
    sentBundles.setBufferTimeout(AT_ONCE);
    SingleOutputStreamOperator<MetricSketch> sentSketches =
        named(
            bundles
                .getSideOutput(CombineOperator.SKETCHES)
                .map(sketch -> sketch, TypeInformation.of(MetricSketch.class)),
            "rollup-sent-sketches",
            "Send sketches of metrics, and the watermark that minutes wait for");
    sentSketches.setBufferTimeout(AT_ONCE);

    SingleOutputStreamOperator<RouteInterval> routes =
        named(
            sentSketches
                .keyBy(MetricSketch::metricKey, Types.STRING)
                .connect(metrics.keyBy(ControlRecord::key, Types.STRING))
                .process(new SplitDecider(rules.splits()), TypeInformation.of(RouteInterval.class)),
            "rollup-routes",
            "Decide which minutes of a metric are split");
    // Through the panes' own input, and with the watermark: no minute goes before its route.
    SingleOutputStreamOperator<byte[]> routeBundles =
        named(
            routes.flatMap(new RouteBroadcaster(KEY_GROUPS), BYTES),
            "rollup-route-bundles",
            "Tell every key group of a route");
    routeBundles.setBufferTimeout(AT_ONCE);

    SingleOutputStreamOperator<byte[]> minutes =
        named(
            sentBundles
                .union(routeBundles)
                .keyBy(new BundleKeySelector(KEY_GROUPS), Types.INT)
                .transform(
                    "roll-up",
                    BYTES,
                    new RollupOperator(rules.panes(), KEY_GROUPS, sourceTopic)
                        .withPublished(published)
                        .withOrganizationLimits(rules.organizations())
                        .withLiveCells(rules.liveCellsPerSecond())
                        .withMetering(rules.isMetered())
                        .withCheckpointsEvery(checkpointInterval)),
            "rollup-panes",
            "Roll up minutes, hours and days, adding late points as deltas");
    minutes.setBufferTimeout(QUIET_MS);

    SingleOutputStreamOperator<byte[]> reducedMinutes =
        named(
            minutes
                .getSideOutput(RollupOperator.REDUCED)
                .keyBy(new BundleKeySelector(KEY_GROUPS), Types.INT)
                .transform(
                    "roll-up-reduced",
                    BYTES,
                    RollupOperator.ofReduced(rules.panes(), KEY_GROUPS, sourceTopic)
                        .withMetering(rules.isMetered())
                        .withOrganizationLimits(rules.organizations())
                        .withCheckpointsEvery(checkpointInterval)),
            "rollup-reduced-panes",
            "Roll up split metrics without the labels that have many values");
    reducedMinutes.setBufferTimeout(QUIET_MS);

    SingleOutputStreamOperator<byte[]> progress =
        named(
            minutes
                .getSideOutput(RollupOperator.LATE_ROWS)
                .union(reducedMinutes.getSideOutput(RollupOperator.LATE_ROWS))
                .connect(bundles.getSideOutput(CombineOperator.LAGS))
                .transform("tell-progress", BYTES, new CompletenessReporterFactory())
                .setParallelism(1),
            "rollup-progress",
            "Tell how far committed rows are complete");

    DataStream<DeadLetter> deadLetters =
        batches
            .getSideOutput(DeadLetterOutput.TAG)
            .union(
                bundles.getSideOutput(DeadLetterOutput.TAG),
                minutes.getSideOutput(DeadLetterOutput.TAG));
    DataStream<BudgetExceeded> budgets =
        bundles.getSideOutput(BudgetOutput.TAG).union(minutes.getSideOutput(BudgetOutput.TAG));
    DataStream<EncodedIncrements> increments =
        bundles
            .getSideOutput(IncrementOutput.TAG)
            .union(
                minutes.getSideOutput(IncrementOutput.TAG),
                reducedMinutes.getSideOutput(IncrementOutput.TAG));
    return new RollupStreams(
        levels(minutes),
        levels(reducedMinutes),
        minutes.getSideOutput(RollupOperator.SPLIT_MINUTES),
        routes,
        budgets,
        deadLetters,
        progress,
        bundles.getSideOutput(CombineOperator.TAKEN),
        increments,
        minutes.getSideOutput(RollupOperator.LIVE));
  }

  /** Without control records: every environment exists and has the plan defaults. */
  public static RollupStreams define(
      DataStream<PointsRecord> records, String sourceTopic, RollupRules rules) {
    return define(records, List.of(), sourceTopic, rules);
  }

  /**
   * The same again: without control records, split as it was, and not metered once more.
   *
   * @param published every route of the time that is computed again; none is decided
   */
  public static RollupStreams again(
      DataStream<PointsRecord> records,
      List<RouteInterval> published,
      String sourceTopic,
      RollupRules rules) {
    return define(
        records, published, sourceTopic, rules.withSplits(SplitRule.NEVER).withoutMetering());
  }

  private static RollupStreams define(
      DataStream<PointsRecord> records,
      List<RouteInterval> published,
      String sourceTopic,
      RollupRules rules) {
    // Of the records themselves, so that its event time and its silences are theirs.
    DataStream<ControlRecord> nothing =
        named(
            records.flatMap(
                (FlatMapFunction<PointsRecord, ControlRecord>) (record, out) -> {},
                TypeInformation.of(ControlRecord.class)),
            "no-tenants",
            "No control records");
    return define(records, nothing, nothing, published, sourceTopic, rules);
  }

  private static RollupStreams.Levels levels(SingleOutputStreamOperator<byte[]> panes) {
    return new RollupStreams.Levels(
        panes, panes.getSideOutput(RollupOperator.HOURS), panes.getSideOutput(RollupOperator.DAYS));
  }
}

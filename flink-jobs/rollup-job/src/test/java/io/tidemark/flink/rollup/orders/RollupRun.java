package io.tidemark.flink.rollup.orders;

import static io.tidemark.flink.io.StreamNames.named;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.usage.CountedIncrement;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.SplitRule;
import io.tidemark.flink.rollup.RollupRules;
import io.tidemark.flink.rollup.RollupStreams;
import io.tidemark.flink.rollup.RollupTopology;
import io.tidemark.flink.testing.CommittedSink;
import io.tidemark.flink.testing.TestControl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * One run of the production topology over records in memory: one source per partition, RocksDB,
 * exactly-once sinks, and failures on the way.
 */
final class RollupRun {

  /** Sources stop after this part of their records until the next checkpoint is complete. */
  private static final int PARTS = 8;

  private static final String TENANTS = "tenants";
  private static final String METRICS = "metrics";

  private static final Map<Integer, List<PointsRecord>> RECORDS = new ConcurrentHashMap<>();
  private static final AtomicInteger SOURCES = new AtomicInteger();

  final CommittedSink minutes = new CommittedSink();
  final CommittedSink splitMinutes = new CommittedSink();
  final CommittedSink hours = new CommittedSink();
  final CommittedSink days = new CommittedSink();
  private final CommittedSink letters = new CommittedSink();
  private final CommittedSink routes = new CommittedSink();
  private final CommittedSink budgets = new CommittedSink();
  private final CommittedSink increments = new CommittedSink();

  /** Reason and points of every dead letter. */
  List<String> letters() {
    return lines(letters);
  }

  /** Organisation, metric, labels as an array, first and last minute of every published route. */
  List<String> routes() {
    return lines(routes);
  }

  /** Organisation of everything told about budgets. */
  List<String> budgets() {
    return lines(budgets);
  }

  /** What was told to who bills. */
  List<CountedIncrement> increments() {
    return increments.committed().stream()
        .flatMap(record -> CountedIncrement.of(record).stream())
        .toList();
  }

  private static List<String> lines(CommittedSink sink) {
    return sink.committed().stream().map(line -> new String(line, UTF_8)).toList();
  }

  /** Returns how often the job failed and started again. */
  int run(Arrivals arrivals, int parallelism, int failures, Path checkpoints) throws Exception {
    StreamExecutionEnvironment environment = environment(parallelism, checkpoints);
    FailsAfterCheckpoints.reset(failures);
    DataStream<PointsRecord> records = null;
    for (int partition = 0; partition < arrivals.partitions(); partition++) {
      DataStream<PointsRecord> more =
          partition(environment, arrivals.records(partition), partition);
      records = records == null ? more : records.union(more);
    }
    ControlScript.reset(Map.of(TENANTS, tenants(), METRICS, metrics()));
    RollupStreams streams =
        RollupTopology.define(
            records,
            control(environment, TENANTS),
            control(environment, METRICS),
            "points",
            rules());
    RollupStreams.Levels reduced = streams.reduced();
    collect(streams.minutes().union(reduced.minutes()), minutes, "minutes");
    collect(streams.hours().union(reduced.hours()), hours, "hours");
    collect(streams.days().union(reduced.days()), days, "days");
    collect(streams.splitMinutes(), splitMinutes, "split-minutes");
    collectLines(
        streams.deadLetters(),
        letter -> letter.reason() + "\t" + letter.pointCount(),
        letters,
        "letters");
    collectLines(streams.routes(), RollupRun::line, routes, "routes");
    collectLines(streams.budgets(), BudgetExceeded::organizationId, budgets, "budgets");
    collect(
        named(
            streams
                .increments()
                .map(
                    EncodedIncrements::increments,
                    PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO),
            "test-increment-values",
            "Values of increments"),
        increments,
        "increments");
    environment.execute("orders of arrival");
    return FailsAfterCheckpoints.FAILURES.get();
  }

  private static List<ControlRecord> tenants() {
    return List.of(
        TestControl.tenant(World.CROWDED, TenantState.TENANT_STATE_ACTIVE, 1, World.BUDGET));
  }

  private static List<ControlRecord> metrics() {
    List<ControlRecord> declared = new ArrayList<>();
    for (String organization : World.organizations()) {
      for (String metric : World.wideMetrics()) {
        declared.add(TestControl.metric(organization, metric, "client"));
      }
    }
    return declared;
  }

  /** Routes begin in the middle of what is sent, whatever the clock says. */
  private static RollupRules rules() {
    SplitRule usual = SplitRule.DEFAULT;
    return RollupRules.DEFAULT.withSplits(
        new SplitRule(
            usual.promoteFrom(),
            usual.demoteBelow(),
            usual.quietHours(),
            usual.manyValues(),
            Duration.ofMillis(World.MIDDLE - System.currentTimeMillis())));
  }

  private static String line(RouteInterval route) {
    return String.join(
        "\t",
        route.organizationId(),
        route.metric(),
        "{" + String.join(",", route.labels()) + "}",
        Long.toString(route.validFrom()),
        Long.toString(route.validTo()));
  }

  private static void collect(DataStream<byte[]> rows, CommittedSink sink, String name) {
    named(rows.sinkTo(sink), "test-" + name, "Committed " + name);
  }

  private static <T> void collectLines(
      DataStream<T> stream, LineOf<T> line, CommittedSink sink, String name) {
    collect(
        named(
            stream.map(
                element -> line.of(element).getBytes(UTF_8),
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO),
            "test-" + name + "-text",
            "As a line"),
        sink,
        name);
  }

  private interface LineOf<T> extends java.io.Serializable {
    String of(T element);
  }

  private static DataStream<ControlRecord> control(
      StreamExecutionEnvironment environment, String topic) {
    SingleOutputStreamOperator<ControlRecord> sent =
        named(
            named(
                    environment.fromSequence(0, 0).setParallelism(1),
                    "test-begin-" + topic,
                    "Begin of " + topic)
                .flatMap(new ControlScript(topic), TypeInformation.of(ControlRecord.class))
                .setParallelism(1),
            "test-" + topic,
            "Control records of " + topic);
    return named(
        sent.assignTimestampsAndWatermarks(ControlSource.withoutEventTime()).setParallelism(1),
        "test-watermarks-" + topic,
        "No event time in " + topic);
  }

  private static DataStream<PointsRecord> partition(
      StreamExecutionEnvironment environment, List<PointsRecord> records, int partition) {
    int source = SOURCES.incrementAndGet();
    RECORDS.put(source, records);
    DataStream<Long> numbers =
        named(
            environment
                .fromSource(
                    new GatedSequence(records.size(), 1 + records.size() / PARTS),
                    WatermarkStrategy.noWatermarks(),
                    "records")
                .setParallelism(1),
            "test-source-" + partition,
            "Numbers of records, so many per checkpoint");
    DataStream<PointsRecord> failing =
        named(
            numbers
                .map(new RecordsOf(source), TypeInformation.of(PointsRecord.class))
                .setParallelism(1),
            "test-records-" + partition,
            "Records, with failures");
    return named(
        failing.assignTimestampsAndWatermarks(watermarkAfterEveryRecord()).setParallelism(1),
        "test-watermarks-" + partition,
        "Watermarks");
  }

  /** As the production strategy, but without waiting for the next periodic watermark. */
  private static WatermarkStrategy<PointsRecord> watermarkAfterEveryRecord() {
    long outOfOrderness = RollupRules.DEFAULT.outOfOrderness().toMillis();
    return WatermarkStrategy.<PointsRecord>forGenerator(
            context ->
                new WatermarkGenerator<>() {
                  private long latest = Long.MIN_VALUE + outOfOrderness + 1;

                  @Override
                  public void onEvent(PointsRecord record, long time, WatermarkOutput output) {
                    latest = Math.max(latest, time);
                    output.emitWatermark(new Watermark(latest - outOfOrderness - 1));
                  }

                  @Override
                  public void onPeriodicEmit(WatermarkOutput output) {}
                })
        .withTimestampAssigner((record, previous) -> record.eventTimeMs());
  }

  private static StreamExecutionEnvironment environment(int parallelism, Path checkpoints) {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(30));
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    configuration.set(PipelineOptions.MAX_PARALLELISM, RollupTopology.KEY_GROUPS);
    return StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
  }

  /** Looks records up by number. */
  private static final class RecordsOf
      implements MapFunction<Long, PointsRecord>, CheckpointListener {
    private static final long serialVersionUID = 1L;
    private final FailsAfterCheckpoints failures = new FailsAfterCheckpoints();
    private final int source;
    private transient boolean hasRead;
    private transient @Nullable List<PointsRecord> records;

    RecordsOf(int source) {
      this.source = source;
    }

    @Override
    public PointsRecord map(Long number) {
      hasRead = true;
      failures.failIfDue();
      if (records == null) {
        records = RECORDS.get(source);
      }
      return records.get(number.intValue());
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      if (hasRead) {
        failures.completed();
      }
    }
  }

  /** Fails after every second checkpoint that is complete, as often as wanted. */
  private static final class FailsAfterCheckpoints implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    static final AtomicInteger COMPLETED = new AtomicInteger();
    static final AtomicInteger FAILURES = new AtomicInteger();
    private static final AtomicInteger WANTED = new AtomicInteger();

    static void reset(int wanted) {
      COMPLETED.set(0);
      FAILURES.set(0);
      WANTED.set(wanted);
    }

    void completed() {
      COMPLETED.incrementAndGet();
    }

    void failIfDue() {
      int failed = FAILURES.get();
      if (failed < WANTED.get()
          && COMPLETED.get() >= 2 * (failed + 1)
          && FAILURES.compareAndSet(failed, failed + 1)) {
        throw new IllegalStateException("A failure that the test wants");
      }
    }
  }
}

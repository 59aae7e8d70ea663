package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.rows.RowText;
import io.tidemark.flink.model.budget.OrganizationLimits;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.SeriesLedger;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.panes.combine.Bundle;
import io.tidemark.flink.model.panes.state.KeyGroupPanes;
import io.tidemark.flink.model.panes.state.PaneStorage;
import io.tidemark.flink.model.panes.state.SeriesHeads;
import io.tidemark.flink.model.panes.state.SeriesState;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.Routes;
import io.tidemark.flink.rollup.RollupMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The panes of this subtask's key groups. They live in memory; before every checkpoint the chunks
 * that changed are written to keyed state, under one key per key group. Minutes are the main
 * output.
 */
public final class RollupOperator extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]> {
  private static final long serialVersionUID = 1L;

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

  public static final OutputTag<byte[]> HOURS = new OutputTag<>("hours", BYTES);
  public static final OutputTag<byte[]> DAYS = new OutputTag<>("days", BYTES);

  /** Rows of split minutes at full detail. */
  public static final OutputTag<byte[]> SPLIT_MINUTES = new OutputTag<>("split-minutes", BYTES);

  /** Bundles of split minutes without the labels that have many values. */
  public static final OutputTag<byte[]> REDUCED = new OutputTag<>("reduced", BYTES);

  /** Rows that may change a window which was complete. */
  public static final OutputTag<LateRows> LATE_ROWS =
      new OutputTag<>("late-rows", TypeInformation.of(LateRows.class));

  public static final OutputTag<LiveRecord> LIVE =
      new OutputTag<>("live", TypeInformation.of(LiveRecord.class));

  private static final long CLOCK_STEP_MS = 1_000L;

  /** Chunks written ahead of barriers at once, some 3 KiB each; and in a step of the clock. */
  private static final int MAX_AT_ONCE = 256;

  private static final int MAX_WITH_CLOCK = 4_096;

  private final PaneTiming timing;
  private final int keyGroups;
  private final String sourceTopic;
  private int liveCellsPerSecond;
  private long checkpointInterval;
  private OrganizationLimits organizations = PlanDefaults.ORGANIZATION;
  private final boolean isOfReduced;
  private boolean isMetered;
  private List<byte[]> published = List.of();

  // Chunks of every key group, under the key of the group.
  private transient KeyedChunks store;
  // How far each subtask had read, one entry each; everyone restores the least.
  private transient ListState<Long> reachedWatermark;
  private transient long reached;
  private transient long forwarded;
  private transient int[] keys;
  private transient Map<Integer, KeyGroupPanes> panes;
  private transient Map<Integer, PaneStorage> storages;
  private transient CheckpointForecast checkpointForecast;
  private transient WatermarkHoldback watermarkHoldback;
  private transient PaneOutput rows;
  private transient @Nullable OpenMinuteOutput live;
  private transient boolean isLiveScheduled;
  private transient Routes routes;
  private transient SeriesLedger ledger;
  private transient SeriesHeads heads;
  private transient BudgetOutput budgets;

  public RollupOperator(PaneTiming timing, int keyGroups, String sourceTopic) {
    this(timing, keyGroups, sourceTopic, false);
  }

  private RollupOperator(
      PaneTiming timing, int keyGroups, String sourceTopic, boolean isOfReduced) {
    this.timing = timing;
    this.keyGroups = keyGroups;
    this.sourceTopic = sourceTopic;
    this.isOfReduced = isOfReduced;
  }

  /** The panes that {@link #REDUCED} bundles of other panes go to. */
  public static RollupOperator ofReduced(PaneTiming timing, int keyGroups, String sourceTopic) {
    return new RollupOperator(timing, keyGroups, sourceTopic, true);
  }

  /** Sends open minutes as well, this many cells a second over all subtasks; 0 for none. */
  public RollupOperator withLiveCells(int perSecond) {
    liveCellsPerSecond = perSecond;
    return this;
  }

  /**
   * Complete minutes wait for late points until shortly before the barrier, when it is known.
   *
   * @param milliseconds between checkpoints; 0 or less: there are none
   */
  public RollupOperator withCheckpointsEvery(long milliseconds) {
    checkpointInterval = Math.max(0, milliseconds);
    return this;
  }

  /** Folds series that are more than all environments of an organisation may have. */
  public RollupOperator withOrganizationLimits(OrganizationLimits limits) {
    organizations = limits;
    return this;
  }

  /** Tells what is billed of rows before every barrier; see {@link IncrementOutput}. */
  public RollupOperator withMetering(boolean metering) {
    isMetered = metering;
    return this;
  }

  /** Splits by these intervals from the start, in runs that decide none themselves. */
  public RollupOperator withPublished(List<RouteInterval> routes) {
    published = routes.stream().map(RouteInterval::encode).toList();
    return this;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    reachedWatermark =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("reached-watermark", Types.LONG));
    long least = Long.MAX_VALUE;
    for (long before : reachedWatermark.get()) {
      least = Math.min(least, before);
    }
    reached = least == Long.MAX_VALUE ? Long.MIN_VALUE : least;
    forwarded = Long.MIN_VALUE;
  }

  @Override
  public void open() throws Exception {
    super.open();
    budgets = new BudgetOutput(getMetricGroup(), output);
    RowMeter meter = isMetered ? new RowMeter(new IncrementOutput(output), now()) : null;
    rows = new PaneOutput(getMetricGroup(), this.output, budgets, meter, keyGroups, sourceTopic);
    routes =
        published.isEmpty()
            ? new Routes()
            : Routes.published(published.stream().map(RouteInterval::decode).toList());
    heads = new SeriesHeads();
    keys = BundleKeySelector.keysOf(keyGroups);
    panes = new HashMap<>();
    storages = new HashMap<>();
    checkpointForecast = new CheckpointForecast(checkpointInterval, now());
    store = new KeyedChunks(getKeyedStateStore());
    TaskInfo task = getContainingTask().getEnvironment().getTaskInfo();
    if (task.getMaxNumberOfParallelSubtasks() != keyGroups) {
      throw new IllegalStateException(
          "The job has "
              + task.getMaxNumberOfParallelSubtasks()
              + " key groups, its state needs "
              + keyGroups
              + ": set pipeline.max-parallelism back");
    }
    isLiveScheduled = false;
    live = liveCellsPerSecond == 0 ? null : openMinuteOutput(task.getNumberOfParallelSubtasks());
    KeyGroupRange range =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            keyGroups, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    ledger = new SeriesLedger(range.getNumberOfKeyGroups(), keyGroups, organizations);
    getMetricGroup().gauge(RollupMetrics.LABEL_KEYS, (Gauge<Integer>) ledger::labelKeys);
    for (int group : range) {
      restore(group);
    }
    watermarkHoldback =
        new WatermarkHoldback(
            panes.values(),
            maxWaitingCells(task.getNumberOfParallelSubtasks()),
            checkpointForecast);
    scheduleClock();
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) {
    byte[] bundle = element.getValue();
    int group = Bundle.keyGroupOf(bundle);
    KeyGroupPanes own = panes.get(group);
    if (own == null) {
      throw new IllegalStateException("Key group " + group + " is not this subtask's");
    }
    own.accept(bundle, now());
    watermarkHoldback.step(now());
    saveAhead(group, MAX_AT_ONCE);
    sendRows();
    if (live != null) {
      live.changed(group);
      scheduleLive(live);
    }
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    watermarkHoldback.came(mark.getTimestamp(), now());
    saveAhead();
    forwardWatermark();
    if (mark.getTimestamp() == Long.MAX_VALUE) {
      rows.tellMetered();
      budgets.tellAll(now());
    }
  }

  /** Who is idle says nothing more, so what was held is said before. */
  @Override
  public void processWatermarkStatus(WatermarkStatus status) throws Exception {
    watermarkHoldback.releaseAll(now());
    forwardWatermark();
    super.processWatermarkStatus(status);
  }

  /** The rows that it completed go first. */
  private void forwardWatermark() throws Exception {
    sendRows();
    long complete = watermarkHoldback.reached();
    if (complete > forwarded) {
      forwarded = complete;
      // The end of input is no point in time to go on from.
      reached = complete == Long.MAX_VALUE ? reached : complete;
      super.processWatermark(new Watermark(complete));
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    watermarkHoldback.releaseAll(now());
    for (KeyGroupPanes group : panes.values()) {
      group.barrierComes(now());
    }
    forwardWatermark();
    rows.tellMetered();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    checkpointForecast.came(context.getCheckpointTimestamp(), now());
    for (Map.Entry<Integer, PaneStorage> group : storages.entrySet()) {
      setCurrentKey(keys[group.getKey()]);
      group.getValue().save(store);
    }
    reachedWatermark.update(List.of(reached));
    super.snapshotState(context);
  }

  /** Whether nothing is open or remembered. */
  boolean isEmpty() {
    return ledger.isEmpty() && panes.values().stream().allMatch(KeyGroupPanes::isEmpty);
  }

  private void restore(int group) throws Exception {
    KeyGroupPanes own =
        new KeyGroupPanes(timing, rows, ledger, heads, routes, origin(group), now());
    own.startAt(reached);
    PaneStorage storage = new PaneStorage(own);
    setCurrentKey(keys[group]);
    storage.restore(store.all(), now());
    if (live != null) {
      own.snapshotsTo(live.of(group));
    }
    panes.put(group, own);
    storages.put(group, storage);
  }

  /** Rows of a series may come from any key group, and from the panes of reduced series too. */
  private int origin(int group) {
    return isOfReduced ? keyGroups + group : group;
  }

  private void scheduleClock() {
    // Fails the task if a step fails; the future itself says nothing more.
    var unused =
        processingTimeService.registerTimer(
            now() + CLOCK_STEP_MS,
            due -> {
              for (KeyGroupPanes group : panes.values()) {
                group.clock(now());
              }
              if (live != null) {
                live.second(panes);
              }
              sendRows();
              budgets.tellWhenDue(now());
              saveAhead();
              scheduleClock();
            });
  }

  private void scheduleLive(OpenMinuteOutput open) {
    if (isLiveScheduled || open.linger() >= CLOCK_STEP_MS) {
      return;
    }
    isLiveScheduled = true;
    // Fails the task if a step fails; the future itself says nothing more.
    var unused =
        processingTimeService.registerTimer(
            now() + open.linger(),
            due -> {
              isLiveScheduled = false;
              open.soon(panes);
            });
  }

  /** A twelfth of the heap, some 64 bytes each. */
  private static long maxWaitingCells(int subtasks) {
    return Runtime.getRuntime().maxMemory() / 12 / 64 / subtasks;
  }

  private void saveAhead() {
    int rest = MAX_WITH_CLOCK;
    for (int group : storages.keySet()) {
      rest -= saveAhead(group, rest);
    }
  }

  /** A little now, so that the next barrier has little left to write at once. */
  private int saveAhead(int group, int most) {
    setCurrentKey(keys[group]);
    return Objects.requireNonNull(storages.get(group))
        .saveAhead(store, most, checkpointForecast.expectedAt(), checkpointForecast.isNear(now()));
  }

  private void sendRows() {
    rows.send(now());
    if (live != null) {
      live.flush();
    }
  }

  private OpenMinuteOutput openMinuteOutput(int subtasks) {
    return new OpenMinuteOutput(
        Math.max(1, liveCellsPerSecond / subtasks),
        this::now,
        record -> output.collect(LIVE, new StreamRecord<>(record)),
        series -> {
          SeriesState counted = series.counted();
          return RowText.object(series.key(), PaneOutput.headOf(counted), counted.attributes());
        },
        getMetricGroup());
  }

  private long now() {
    return processingTimeService.getCurrentProcessingTime();
  }
}

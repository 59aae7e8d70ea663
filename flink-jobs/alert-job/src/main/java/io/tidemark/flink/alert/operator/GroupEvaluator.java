package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.AlertMetrics;
import io.tidemark.flink.alert.match.RuleMinute;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.progress.ProgressRecord;
import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.EarlyAlert;
import io.tidemark.flink.model.alert.EarlyAlertEvaluator;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import io.tidemark.flink.model.alert.SignalHistory;
import io.tidemark.flink.model.completeness.TenantLag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the totals of each group of each rule, and has {@link AlertGroupEvaluator} decide a minute
 * when the watermark says that its rows are complete.
 *
 * <p>The broadcast input brings control records of rules and, without a key, statements of
 * completeness, whose watermark it carries: when a minute is decided, it is known which tenants are
 * behind.
 *
 * <p>Figures of open minutes lie beside the totals and are looked at twice a second, by the clock,
 * for rules that ask for it; they and what they raised go when their minute is complete.
 */
public final class GroupEvaluator
    extends KeyedBroadcastProcessFunction<String, RuleMinute, ControlRecord, AlertTransition>
    implements CheckpointedFunction {
  private static final long serialVersionUID = 1L;

  /** The rules themselves, the versions before them, and tenants that are behind. */
  public static final MapStateDescriptor<String, byte[]> RULES = RuleTable.LATEST;

  public static final MapStateDescriptor<String, byte[]> RULES_BEFORE = RuleTable.PREVIOUS;

  public static final MapStateDescriptor<String, Long> LAGS =
      new MapStateDescriptor<>("tenant-lags", Types.STRING, Types.LONG);

  /** How far this part has decided rules, with each statement that changes it. */
  public static final OutputTag<GroupCount> COUNTS =
      new OutputTag<>("group-counts", TypeInformation.of(GroupCount.class));

  /** Minutes of groups that were decided for the first time, with each statement. */
  public static final OutputTag<EvaluatedHour> EVALUATED =
      new OutputTag<>("evaluated-hours", TypeInformation.of(EvaluatedHour.class));

  /** The rule of a group may be read later than its rows, when a job begins anew. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Figures of many parts come within it and are looked at once. */
  private static final long EARLY_STEP_MS = 500;

  /** Numbers a minute's sides in the state of open minutes. */
  private static final int SIDES = 2;

  // Released with the group: when its rule goes, looks at something else, or it is silent.
  private transient ValueState<AlertGroup> group;
  // Released minute by minute, as they can no longer be needed, and with the group.
  private transient MapState<Long, MinuteTotals> totals;
  private transient MapState<Long, AlertStatus> decisions;

  // Released when the minute is complete, and with the group.
  private transient MapState<Long, MinuteTotals> openMinutes;
  private transient ValueState<EarlyAlert> early;

  // What no statement has sent on yet. Every part adds its own, so any part may take it up.
  private transient ListState<EvaluatedHour> pendingState;
  private transient Map<EvaluatedHour, Long> pending;

  private transient RuleTable rules;
  private transient @Nullable Map<String, Long> lags;
  // Counted anew after a restart, with the next minute.
  private transient Map<String, DecidedMinute> decided;
  private transient Map<String, GroupCount> announced;
  private transient Counter evaluated;
  private transient Counter told;
  private transient Counter raisedEarly;

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    pendingState =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>(
                    "pending-evaluations", TypeInformation.of(EvaluatedHour.class)));
    pending = new HashMap<>();
    for (EvaluatedHour hour : pendingState.get()) {
      pending.merge(hour.withoutCount(), hour.evaluations(), Long::sum);
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    List<EvaluatedHour> all = new ArrayList<>();
    pending.forEach((hour, count) -> all.add(hour.with(count)));
    pendingState.update(all);
  }

  @Override
  public void open(OpenContext context) {
    group =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>("alert-group", TypeInformation.of(AlertGroup.class)));
    totals =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "minute-totals", Types.LONG, TypeInformation.of(MinuteTotals.class)));
    decisions =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "decisions", Types.LONG, TypeInformation.of(AlertStatus.class)));
    openMinutes =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "open-minutes", Types.LONG, TypeInformation.of(MinuteTotals.class)));
    early =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>("early-alert", TypeInformation.of(EarlyAlert.class)));
    rules = new RuleTable(rule -> false);
    lags = null;
    decided = new HashMap<>();
    announced = new HashMap<>();
    evaluated =
        JobMetrics.counter(getRuntimeContext().getMetricGroup(), AlertMetrics.GROUPS_EVALUATED);
    told = JobMetrics.counter(getRuntimeContext().getMetricGroup(), AlertMetrics.TRANSITIONS);
    raisedEarly = JobMetrics.counter(getRuntimeContext().getMetricGroup(), AlertMetrics.EARLY);
  }

  /** Groups of a rule that were decided up to the same minute. */
  private record DecidedMinute(long until, int groups) {}

  @Override
  public void processBroadcastElement(
      ControlRecord record, Context context, Collector<AlertTransition> out) throws Exception {
    if (record.key().isEmpty()) {
      lag(record, context.getBroadcastState(LAGS));
      rules.load(
          context.getBroadcastState(RuleTable.LATEST),
          context.getBroadcastState(RuleTable.PREVIOUS));
      announce(context);
      pending.forEach((hour, count) -> context.output(EVALUATED, hour.with(count)));
      pending.clear();
      return;
    }
    var latest = context.getBroadcastState(RuleTable.LATEST);
    var previous = context.getBroadcastState(RuleTable.PREVIOUS);
    rules.load(latest, previous);
    // That a record is not in force is counted and logged where rows are matched.
    var unused = rules.accept(record, latest, previous);
    if (rules.rule(record.key()) == null) {
      decided.remove(record.key());
      announced.remove(record.key());
      if (isFirst()) {
        context.output(COUNTS, GroupCount.gone(record.key()));
      }
    }
  }

  private boolean isFirst() {
    return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0;
  }

  /**
   * Says how far rules are decided: all timers of the watermark have run. The first part speaks of
   * rules without groups too.
   */
  private void announce(Context context) throws Exception {
    long watermark = context.currentWatermark();
    if (watermark <= 0 || watermark == Long.MAX_VALUE) {
      return;
    }
    int part = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    Map<String, Long> behind = lags(context.getBroadcastState(LAGS));
    for (Map.Entry<String, RuleVersions> rule : rules.all().entrySet()) {
      DecidedMinute minute = decided.get(rule.getKey());
      if (minute == null && part > 0) {
        continue;
      }
      Long lag = behind.get(rule.getValue().latest().organizationId());
      long complete = lag == null ? watermark + 1 : Math.min(watermark + 1, lag);
      long until = Math.floorDiv(complete, MINUTE_MS) * MINUTE_MS;
      boolean isCounted = minute != null && minute.until() == until;
      if (!isCounted && part > 0) {
        continue;
      }
      GroupCount now =
          new GroupCount(
              rule.getKey(),
              rule.getValue().latest().version(),
              part,
              until,
              isCounted ? minute.groups() : 0,
              lag != null);
      if (!now.equals(announced.put(rule.getKey(), now))) {
        context.output(COUNTS, now);
      }
    }
  }

  /** Where a tenant was complete once it stays complete. */
  private void lag(ControlRecord statement, BroadcastState<String, Long> state) throws Exception {
    if (ProgressRecord.completeUntil(statement.value()).isEmpty()) {
      return;
    }
    Map<String, Long> known = lags(state);
    Map<String, Long> behind = new HashMap<>();
    for (TenantLag lag : ProgressRecord.lagging(statement.value())) {
      behind.put(
          lag.organizationId(),
          Math.max(lag.completeUntil(), known.getOrDefault(lag.organizationId(), 0L)));
    }
    if (!behind.equals(known)) {
      state.clear();
      state.putAll(behind);
      lags = behind;
    }
  }

  private Map<String, Long> lags(ReadOnlyBroadcastState<String, Long> state) throws Exception {
    if (lags == null) {
      lags = new HashMap<>();
      for (Map.Entry<String, Long> entry : state.immutableEntries()) {
        lags.put(entry.getKey(), entry.getValue());
      }
    }
    return lags;
  }

  @Override
  public void processElement(
      RuleMinute minute, ReadOnlyContext context, Collector<AlertTransition> out) throws Exception {
    rules.load(
        context.getBroadcastState(RuleTable.LATEST), context.getBroadcastState(RuleTable.PREVIOUS));
    long watermark = context.timerService().currentWatermark();
    if (minute.part() != RuleMinute.ROWS) {
      takeOpen(minute, context, watermark);
      return;
    }
    AlertGroup known = group.value();
    boolean isRow = minute.side() != RuleMinute.SEED;
    AlertGroup now = known == null ? begin(minute, watermark) : known;
    if (isRow) {
      long place = place(minute.side(), minute.start());
      totals.put(place, MinuteTotals.add(totals.get(place), minute.totals()));
      if (minute.side() != SignalHistory.HOURS) {
        now = now.withData(minute.start());
      }
    }
    if (now != known) {
      group.update(now);
      context
          .timerService()
          .registerEventTimeTimer(Math.max(now.decidedUntil() + MINUTE_MS - 1, watermark + 1));
    }
  }

  /** Keeps figures of an open minute in the place of those before, and looks at them soon. */
  private void takeOpen(RuleMinute minute, ReadOnlyContext context, long watermark)
      throws Exception {
    RuleVersions rule = rules.rule(RuleMinute.ruleOf(minute.groupKey()));
    boolean isComplete = minute.start() + MINUTE_MS <= watermark + 1;
    if (rule == null || rule.isOther(minute.signal()) || isComplete) {
      return;
    }
    long sideOfPart = (long) SIDES * minute.part() + minute.side();
    openMinutes.put(minute.start() + sideOfPart, minute.totals());
    context.timerService().registerEventTimeTimer(minute.start() + MINUTE_MS - 1);
    if (early.value() == null) {
      long now = context.timerService().currentProcessingTime();
      context
          .timerService()
          .registerProcessingTimeTimer((Math.floorDiv(now, EARLY_STEP_MS) + 1) * EARLY_STEP_MS);
    }
  }

  /** Has open minutes decided as if they were complete, and keeps what they raise. */
  private void raise(OnTimerContext context, Collector<AlertTransition> out) throws Exception {
    RuleVersions rule = rules.rule(RuleMinute.ruleOf(context.getCurrentKey()));
    if (rule == null || early.value() != null) {
      return;
    }
    OpenHistory history = new OpenHistory();
    if (history.isEmpty()) {
      return;
    }
    AlertGroup known = group.value();
    AlertGroup from =
        known == null
            ? AlertGroup.begin(
                RuleMinute.signalOf(context.getCurrentKey()),
                RuleMinute.labelsOf(context.getCurrentKey()),
                history.oldest(),
                history.oldest())
            : known;
    EarlyAlert raised =
        new EarlyAlertEvaluator(transition -> tell(transition, out))
            .raise(
                from,
                rule,
                history,
                history.newest(),
                completeUntil(
                    rule, Math.max(0, context.timerService().currentWatermark() + 1), context));
    if (raised != null) {
      raisedEarly.inc();
      early.update(raised);
    }
  }

  /**
   * Settles what open minutes raised, and drops those that are complete.
   *
   * @param now the group after its complete minutes were decided; null when there is none
   * @return whether any is left
   */
  private boolean settle(
      RuleVersions rule,
      @Nullable AlertGroup now,
      long completeUntil,
      Collector<AlertTransition> out)
      throws Exception {
    EarlyAlert raised = early.value();
    if (raised != null
        && new EarlyAlertEvaluator(transition -> tell(transition, out))
            .settle(raised, now, rule, decisions.get(raised.minute()), completeUntil)) {
      early.clear();
      raised = null;
    }
    boolean isLeft = raised != null;
    List<Long> places = new ArrayList<>();
    openMinutes.keys().forEach(places::add);
    for (long place : places) {
      if (minuteOf(place) + MINUTE_MS <= completeUntil) {
        openMinutes.remove(place);
      } else {
        isLeft = true;
      }
    }
    return isLeft;
  }

  private static long minuteOf(long place) {
    return Math.floorDiv(place, MINUTE_MS) * MINUTE_MS;
  }

  private void tell(AlertTransition transition, Collector<AlertTransition> out) {
    told.inc();
    out.collect(transition);
  }

  private long completeUntil(RuleVersions rule, long complete, ReadOnlyContext context)
      throws Exception {
    return Math.min(
        complete,
        lags(context.getBroadcastState(LAGS))
            .getOrDefault(rule.latest().organizationId(), Long.MAX_VALUE));
  }

  private AlertGroup begin(RuleMinute minute, long watermark) {
    RuleVersions rule = rules.rule(RuleMinute.ruleOf(minute.groupKey()));
    long from = minute.start();
    if (rule != null && !rule.isOther(minute.signal())) {
      from = Math.max(from, rule.latest().effectiveFrom());
    }
    if (watermark > 0) {
      long oldest = watermark + 1 - AlertGroupEvaluator.REVISED.toMillis();
      from = Math.max(from, Math.floorDiv(oldest, MINUTE_MS) * MINUTE_MS);
    }
    return AlertGroup.begin(minute.signal(), minute.labels(), from, minute.start());
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<AlertTransition> out)
      throws Exception {
    rules.load(
        context.getBroadcastState(RuleTable.LATEST), context.getBroadcastState(RuleTable.PREVIOUS));
    if (context.timeDomain() == TimeDomain.PROCESSING_TIME) {
      raise(context, out);
      return;
    }
    AlertGroup known = group.value();
    String ruleKey = RuleMinute.ruleOf(context.getCurrentKey());
    RuleVersions rule = rules.rule(ruleKey);
    long watermark = context.timerService().currentWatermark();
    if (rule == null) {
      if (known == null || watermark - known.decidedUntil() > PATIENCE.toMillis()) {
        release();
      } else {
        context.timerService().registerEventTimeTimer(watermark + MINUTE_MS);
      }
      return;
    }
    // The end of input is no time.
    long complete = watermark == Long.MAX_VALUE ? timestamp + 1 : watermark + 1;
    long ofTenant = completeUntil(rule, complete, context);
    AlertGroup now = null;
    if (known != null) {
      now =
          new AlertGroupEvaluator(
                  new StoredHistory(ruleKey, rule.latest().signal().metric(), known.decidedUntil()),
                  transition -> tell(transition, out))
              .advance(known, rule, ofTenant, complete);
      evaluated.inc();
    }
    boolean isOpen = settle(rule, now, ofTenant, out);
    if (known == null || now == null) {
      if (known != null) {
        releaseDecisions();
      }
      if (isOpen && watermark != Long.MAX_VALUE) {
        context.timerService().registerEventTimeTimer(watermark + MINUTE_MS);
      }
      return;
    }
    if (!now.equals(known)) {
      group.update(now);
    }
    if (now.decidedUntil() > known.decidedUntil()) {
      count(ruleKey, now.decidedUntil());
    }
    if (watermark != Long.MAX_VALUE) {
      long due = now.decidedUntil() + MINUTE_MS - 1;
      context.timerService().registerEventTimeTimer(due > watermark ? due : watermark + MINUTE_MS);
    }
  }

  private void count(String rule, long until) {
    decided.merge(
        rule,
        new DecidedMinute(until, 1),
        (before, one) ->
            before.until() == until
                ? new DecidedMinute(until, before.groups() + 1)
                : before.until() > until ? before : one);
  }

  private void release() {
    releaseDecisions();
    openMinutes.clear();
    early.clear();
  }

  private void releaseDecisions() {
    group.clear();
    totals.clear();
    decisions.clear();
  }

  /** Minutes and hours begin at whole minutes, so the side fits beside them. */
  private static long place(int side, long start) {
    return start + side;
  }

  /** The state of the current key; what it throws is a failure of the state backend. */
  private final class StoredHistory implements AlertGroupEvaluator.Store {
    private final String rule;
    private final String metric;
    private final long decidedBefore;

    /**
     * @param decidedBefore minutes before it were decided; deciding them anew is not counted
     */
    StoredHistory(String rule, String metric, long decidedBefore) {
      this.rule = rule;
      this.metric = metric;
      this.decidedBefore = decidedBefore;
    }

    @Override
    public @Nullable MinuteTotals totals(int side, long start) {
      return attempt(() -> totals.get(place(side, start)));
    }

    @Override
    public @Nullable AlertStatus decided(long minute) {
      return attempt(() -> decisions.get(minute));
    }

    @Override
    public void decide(long minute, AlertStatus status) {
      if (minute >= decidedBefore) {
        pending.merge(EvaluatedHour.ofMinute(rule, metric, minute).withoutCount(), 1L, Long::sum);
      }
      attempt(
          () -> {
            decisions.put(minute, status);
            return null;
          });
    }

    @Override
    public void forgetDecision(long minute) {
      attempt(
          () -> {
            decisions.remove(minute);
            return null;
          });
    }

    @Override
    public void forgetTotals(int side, long start) {
      attempt(
          () -> {
            totals.remove(place(side, start));
            return null;
          });
    }
  }

  private static <T> @Nullable T attempt(java.util.concurrent.Callable<@Nullable T> access) {
    try {
      return access.call();
    } catch (Exception e) {
      throw new IllegalStateException("State of an alert cannot be read or written", e);
    }
  }

  /** Figures of open minutes of the current key; of other minutes the totals of rows. */
  private final class OpenHistory implements SignalHistory {

    private final Map<Long, MinuteTotals> figures = new HashMap<>();
    private long oldest = Long.MAX_VALUE;
    private long newest = Long.MIN_VALUE;

    OpenHistory() throws Exception {
      for (Map.Entry<Long, MinuteTotals> part : openMinutes.entries()) {
        long minute = minuteOf(part.getKey());
        int side = (int) ((part.getKey() - minute) % SIDES);
        figures.merge(place(side, minute), part.getValue(), MinuteTotals::add);
        oldest = Math.min(oldest, minute);
        newest = Math.max(newest, minute);
      }
    }

    boolean isEmpty() {
      return figures.isEmpty();
    }

    long oldest() {
      return oldest;
    }

    long newest() {
      return newest;
    }

    @Override
    public @Nullable MinuteTotals totals(int side, long start) {
      MinuteTotals open = figures.get(place(side, start));
      return open == null ? attempt(() -> totals.get(place(side, start))) : open;
    }
  }
}

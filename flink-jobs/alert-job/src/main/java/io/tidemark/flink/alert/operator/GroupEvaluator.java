package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.AlertMetrics;
import io.tidemark.flink.alert.match.RuleMinute;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.EarlyAlert;
import io.tidemark.flink.model.alert.EarlyAlertEvaluator;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.RuleVersions;
import io.tidemark.flink.model.alert.SignalHistory;
import io.tidemark.flink.model.alert.SignalKind;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
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
 * <p>Groups are in memory as far as they find room. What is new of them is written to the state
 * before each checkpoint, once however many rows came; what is in memory needs no timer either.
 *
 * <p>Figures of open minutes lie beside the totals and are looked at twice a second, by the clock,
 * for rules that ask for it; they and what they raised go when their minute is complete.
 */
public final class GroupEvaluator extends AbstractStreamOperator<AlertTransition>
    implements TwoInputStreamOperator<RuleMinute, ControlRecord, AlertTransition>,
        Triggerable<String, VoidNamespace> {
  private static final long serialVersionUID = 1L;

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

  /** Minutes before the decided one that stay in memory; a longer window reads the others. */
  private static final long MOST_HELD_MS = Duration.ofMinutes(60).toMillis();

  /** Part of the heap that groups of one subtask may take. */
  private static final int HEAP_SHARE = 16;

  // As the job named it when its state was written first.
  private static final String TIMERS = "user-timers";

  private final long mostBytes;

  private transient BroadcastState<String, byte[]> latest;
  private transient BroadcastState<String, byte[]> previous;
  private transient RuleTable rules;
  private transient TenantLags lags;
  private transient EvaluatedHours hours;
  // The greatest of all parts: groups were decided up to it.
  private transient ListState<Long> watermarkState;
  private transient long restoredWatermark;
  private transient long watermark;

  private transient int part;
  private transient GroupStore store;
  private transient OpenMinuteStore openMinutes;
  private transient HeldGroups held;
  private transient GroupCensus census;
  private transient InternalTimerService<VoidNamespace> timers;
  private transient Counter evaluated;
  private transient Counter told;
  private transient Counter raisedEarly;

  public GroupEvaluator() {
    this(0);
  }

  /**
   * @param mostBytes of groups in memory, an estimate; 0 for a share of the heap
   */
  public GroupEvaluator(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    latest = context.getOperatorStateStore().getBroadcastState(RuleTable.LATEST);
    previous = context.getOperatorStateStore().getBroadcastState(RuleTable.PREVIOUS);
    lags = new TenantLags(context.getOperatorStateStore().getBroadcastState(TenantLags.STATE));
    hours = new EvaluatedHours(context.getOperatorStateStore());
    watermarkState =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("decided-watermark", Types.LONG));
    restoredWatermark = Long.MIN_VALUE;
    for (long each : watermarkState.get()) {
      restoredWatermark = Math.max(restoredWatermark, each);
    }
    watermark = restoredWatermark;
  }

  @Override
  public void open() throws Exception {
    super.open();
    rules = new RuleTable(rule -> false);
    rules.load(latest, previous);
    part = getContainingTask().getEnvironment().getTaskInfo().getIndexOfThisSubtask();
    census = new GroupCensus(part);
    evaluated = JobMetrics.counter(getMetricGroup(), AlertMetrics.GROUPS_EVALUATED);
    told = JobMetrics.counter(getMetricGroup(), AlertMetrics.TRANSITIONS);
    raisedEarly = JobMetrics.counter(getMetricGroup(), AlertMetrics.EARLY);
    timers = getInternalTimerService(TIMERS, VoidNamespaceSerializer.INSTANCE, this);
    store = new KeyedGroupStore(getKeyedStateStore());
    openMinutes = new OpenMinuteStore(getKeyedStateStore());
    held =
        new HeldGroups(mostBytes > 0 ? mostBytes : Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    takeOver();
  }

  /** Has stored groups decided again: those in memory had no timer. */
  private void takeOver() {
    long dueAt = restoredWatermark + 1;
    try (Stream<String> keys =
        this.<String>getKeyedStateBackend()
            .getKeys(KeyedGroupStore.GROUP, VoidNamespace.INSTANCE)) {
      for (Iterator<String> each = keys.iterator(); each.hasNext(); ) {
        HeldGroup group = new HeldGroup(each.next(), store, dueAt);
        if (!held.hold(group)) {
          setCurrentKey(group.key());
          schedule(dueAt);
        }
      }
    }
  }

  /** Writes what is new of groups in memory. The current key is another afterwards. */
  public void write() {
    held.write(this::setCurrentKey);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    write();
    hours.write();
    watermarkState.update(List.of(watermark));
    super.snapshotState(context);
  }

  @Override
  public void processElement2(StreamRecord<ControlRecord> element) throws Exception {
    ControlRecord record = element.getValue();
    if (record.key().isEmpty()) {
      lags.accept(record);
      census.announce(
          timers.currentWatermark(),
          rules.all(),
          lags,
          count -> output.collect(COUNTS, new StreamRecord<>(count)));
      hours.handOn(hour -> output.collect(EVALUATED, new StreamRecord<>(hour)));
      return;
    }
    // That a record is not in force is counted and logged where rows are matched.
    var unused = rules.accept(record, latest, previous);
    if (rules.rule(record.key()) == null) {
      census.forget(record.key());
      if (part == 0) {
        output.collect(COUNTS, new StreamRecord<>(GroupCount.gone(record.key())));
      }
    }
  }

  @Override
  public void processElement1(StreamRecord<RuleMinute> element) throws Exception {
    RuleMinute minute = element.getValue();
    long now = timers.currentWatermark();
    if (minute.part() != RuleMinute.ROWS) {
      takeOpen(minute, now);
      return;
    }
    HeldGroup group = current();
    AlertGroup known = group.group();
    AlertGroup after = known == null ? begin(minute, now) : known;
    if (minute.side() != RuleMinute.SEED) {
      group.add(minute.side(), minute.start(), minute.totals());
      if (minute.side() != SignalHistory.HOURS) {
        after = after.withData(minute.start());
      }
    }
    if (after != known) {
      group.put(after);
      group.dueBy(Math.max(after.decidedUntil() + MINUTE_MS - 1, now + 1));
    }
    if (group.minutes() > HeldGroup.MOST_MINUTES) {
      group.shrink();
    }
    keep(group);
    reduce();
  }

  private HeldGroup current() {
    String key = (String) getCurrentKey();
    HeldGroup known = held.find(key);
    return known == null ? new HeldGroup(key, store, Long.MAX_VALUE) : known;
  }

  private void schedule(long time) {
    timers.registerEventTimeTimer(VoidNamespace.INSTANCE, time);
  }

  /** Keeps a group of the current key in memory, or writes it and sets its timer. */
  private void keep(HeldGroup group) {
    if (!held.hold(group)) {
      group.write();
      wake(group);
    }
  }

  /** Holds to the bound. The current key is another afterwards. */
  private void reduce() {
    if (held.isTooMuch()) {
      held.reduce(this::setCurrentKey, this::wake);
    }
  }

  /** Sets the timer of a group that is not in memory. Without a time it has one already. */
  private void wake(HeldGroup group) {
    if (group.dueAt() != Long.MAX_VALUE) {
      schedule(group.dueAt());
    }
  }

  /** Keeps figures of an open minute in the place of those before, and looks at them soon. */
  private void takeOpen(RuleMinute minute, long now) throws Exception {
    String key = (String) getCurrentKey();
    RuleVersions rule = rules.rule(RuleMinute.ruleOf(key));
    boolean isComplete = minute.start() + MINUTE_MS <= now + 1;
    if (rule == null || rule.isOther(minute.signal()) || isComplete) {
      return;
    }
    openMinutes.put(minute);
    HeldGroup group = held.find(key);
    if (group != null) {
      group.setOpenMinutes(true);
    }
    schedule(minute.start() + MINUTE_MS - 1);
    if (openMinutes.early() == null) {
      long clock = timers.currentProcessingTime();
      timers.registerProcessingTimeTimer(
          VoidNamespace.INSTANCE, (Math.floorDiv(clock, EARLY_STEP_MS) + 1) * EARLY_STEP_MS);
    }
  }

  /** Has open minutes decided as if they were complete, and keeps what they raise. */
  @Override
  public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    String key = timer.getKey();
    RuleVersions rule = rules.rule(RuleMinute.ruleOf(key));
    if (rule == null || openMinutes.early() != null) {
      return;
    }
    HeldGroup group = current();
    OpenMinuteStore.History history = openMinutes.history(group);
    if (history.isEmpty()) {
      return;
    }
    AlertGroup known = group.group();
    AlertGroup from =
        known == null
            ? AlertGroup.begin(
                RuleMinute.signalOf(key),
                RuleMinute.labelsOf(key),
                history.oldest(),
                history.oldest())
            : known;
    EarlyAlert raised =
        new EarlyAlertEvaluator(this::tell)
            .raise(
                from,
                rule,
                history,
                history.newest(),
                lags.completeUntil(
                    rule.latest().organizationId(), Math.max(0, timers.currentWatermark() + 1)));
    if (raised != null) {
      raisedEarly.inc();
      openMinutes.putEarly(raised);
    }
  }

  /**
   * Settles what open minutes raised, and drops those that are complete.
   *
   * @param now the group after its complete minutes were decided; null when there is none
   * @return whether any is left
   */
  private boolean settle(
      HeldGroup group, RuleVersions rule, @Nullable AlertGroup now, long completeUntil)
      throws Exception {
    if (!group.hasOpenMinutes()) {
      return false;
    }
    EarlyAlert raised = openMinutes.early();
    if (raised != null
        && new EarlyAlertEvaluator(this::tell)
            .settle(raised, now, rule, group.decided(raised.minute()), completeUntil)) {
      openMinutes.removeEarly();
      raised = null;
    }
    boolean isLeft = openMinutes.removeBefore(completeUntil) || raised != null;
    group.setOpenMinutes(isLeft);
    return isLeft;
  }

  private void tell(AlertTransition transition) {
    told.inc();
    output.collect(new StreamRecord<>(transition));
  }

  private AlertGroup begin(RuleMinute minute, long now) {
    RuleVersions rule = rules.rule(minute.rule());
    long from = minute.start();
    if (rule != null && !rule.isOther(minute.signal())) {
      from = Math.max(from, rule.latest().effectiveFrom());
    }
    if (now > 0) {
      long oldest = now + 1 - AlertGroupEvaluator.REVISED.toMillis();
      from = Math.max(from, Math.floorDiv(oldest, MINUTE_MS) * MINUTE_MS);
    }
    return AlertGroup.begin(minute.signal(), minute.labels(), from, minute.start());
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (mark.getTimestamp() != Long.MAX_VALUE) {
      watermark = Math.max(watermark, mark.getTimestamp());
    }
    for (HeldGroup group : held.due(mark.getTimestamp())) {
      setCurrentKey(group.key());
      decide(group, group.dueAt(), mark.getTimestamp());
    }
    reduce();
    super.processWatermark(mark);
  }

  /** Decides a group that found no room in memory, or whose open minute is complete. */
  @Override
  public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    HeldGroup group = current();
    long now = timers.currentWatermark();
    boolean isLater = group.dueAt() > now && group.dueAt() != Long.MAX_VALUE;
    if (!isLater || group.hasOpenMinutes()) {
      decide(group, timer.getTimestamp(), now);
    }
    reduce();
  }

  /**
   * @param group that of the current key
   * @param dueAt time at which it was to be decided
   */
  private void decide(HeldGroup group, long dueAt, long now) throws Exception {
    AlertGroup known = group.group();
    String ruleKey = RuleMinute.ruleOf(group.key());
    RuleVersions rule = rules.rule(ruleKey);
    if (rule == null) {
      if (known == null || now - known.decidedUntil() > PATIENCE.toMillis()) {
        release(group);
        openMinutes.clear();
      } else {
        group.due(now + MINUTE_MS);
        keep(group);
      }
      return;
    }
    // The end of input is no time.
    long complete = now == Long.MAX_VALUE ? dueAt + 1 : now + 1;
    long ofTenant = lags.completeUntil(rule.latest().organizationId(), complete);
    AlertGroup after = null;
    if (known != null) {
      after =
          new AlertGroupEvaluator(
                  new CountedDecisions(
                      group, hours, ruleKey, rule.latest().signal().metric(), known.decidedUntil()),
                  this::tell)
              .advance(known, rule, ofTenant, complete);
      evaluated.inc();
    }
    boolean isOpen = settle(group, rule, after, ofTenant);
    if (known == null || after == null) {
      if (known != null) {
        release(group);
      }
      if (isOpen && now != Long.MAX_VALUE) {
        schedule(now + MINUTE_MS);
      }
      return;
    }
    group.put(after);
    if (after.decidedUntil() > known.decidedUntil()) {
      census.count(ruleKey, after.decidedUntil());
    }
    group.wantFrom(after.decidedUntil() - heldMs(rule));
    long next = after.decidedUntil() + MINUTE_MS - 1;
    group.due(now == Long.MAX_VALUE ? Long.MAX_VALUE : next > now ? next : now + MINUTE_MS);
    keep(group);
  }

  private static long heldMs(RuleVersions rule) {
    AlertSignal signal = rule.latest().signal();
    long wanted =
        signal.kind() == SignalKind.ANOMALY
            ? signal.windowMinutes() * MINUTE_MS
            : rule.latest().lookbackMs();
    return Math.min(wanted, MOST_HELD_MS);
  }

  private void release(HeldGroup group) {
    group.release();
    held.remove(group);
  }

  /** Groups in memory. */
  int heldGroups() {
    return held.size();
  }
}

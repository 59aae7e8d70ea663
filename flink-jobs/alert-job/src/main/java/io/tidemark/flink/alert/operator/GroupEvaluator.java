package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.AlertMetrics;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.signal.EvaluationCounts;
import io.tidemark.flink.alert.signal.HeldSignal;
import io.tidemark.flink.alert.signal.HeldSignals;
import io.tidemark.flink.alert.signal.RuleGroups;
import io.tidemark.flink.alert.signal.SignalDecider;
import io.tidemark.flink.alert.signal.SignalDecider.Completeness;
import io.tidemark.flink.alert.signal.SignalRules;
import io.tidemark.flink.alert.signal.SignalStore;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.RuleVersions;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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

/**
 * Keeps the totals of the groups of each signal, once for all rules that look at it, and has {@link
 * SignalDecider} decide a minute when the watermark says that its rows are complete.
 *
 * <p>The broadcast input brings control records of rules and, without a key, statements of
 * completeness, whose watermark it carries: when a minute is decided, it is known which tenants are
 * behind.
 *
 * <p>Signals are in memory as far as they find room. What is new of them is written to the state
 * before each checkpoint, once however many rows came; what is in memory needs no timer either.
 *
 * <p>Figures of open minutes lie beside the totals and are looked at twice a second, by the clock,
 * for rules that ask for it; they and what they raised go when their minute is complete.
 */
public final class GroupEvaluator extends AbstractStreamOperator<AlertTransition>
    implements TwoInputStreamOperator<SignalMinute, ControlRecord, AlertTransition>,
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

  /** Part of the heap that signals of one subtask may take. */
  private static final int HEAP_SHARE = 16;

  // As the job named it when its state was written first.
  private static final String TIMERS = "user-timers";

  private final long maxBytes;

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
  private transient SignalRules looking;
  private transient SignalStore store;
  private transient OpenMinuteStore openMinutes;
  private transient HeldSignals held;
  private transient SignalDecider decider;
  private transient EarlyIncidents early;
  private transient GroupCensus census;
  private transient InternalTimerService<VoidNamespace> timers;
  private transient Counter evaluated;
  private transient Counter told;
  private transient Counter raisedEarly;

  public GroupEvaluator() {
    this(0);
  }

  /**
   * @param maxBytes of signals in memory, an estimate; 0 for a share of the heap
   */
  public GroupEvaluator(long maxBytes) {
    this.maxBytes = maxBytes;
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
    looking = new SignalRules();
    rules.all().forEach(looking::put);
    part = getContainingTask().getEnvironment().getTaskInfo().getIndexOfThisSubtask();
    census = new GroupCensus(part);
    evaluated = JobMetrics.counter(getMetricGroup(), AlertMetrics.GROUPS_EVALUATED);
    told = JobMetrics.counter(getMetricGroup(), AlertMetrics.TRANSITIONS);
    raisedEarly = JobMetrics.counter(getMetricGroup(), AlertMetrics.EARLY);
    timers = getInternalTimerService(TIMERS, VoidNamespaceSerializer.INSTANCE, this);
    store = new KeyedSignalStore(getKeyedStateStore());
    openMinutes = new OpenMinuteStore(getKeyedStateStore());
    early = new EarlyIncidents(openMinutes, lags, this::tell);
    held = new HeldSignals(maxBytes > 0 ? maxBytes : Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    decider = new SignalDecider(new Counts(), this::tell, PATIENCE.toMillis());
    takeOver();
  }

  /** Counts for usage records, for the ledger and for metrics. */
  private final class Counts implements EvaluationCounts {
    @Override
    public void evaluated(RuleGroups rule, long minute, int groups) {
      RuleVersions versions = rule.versions();
      if (versions != null) {
        hours.count(rule.rule(), versions.latest().signal().metric(), minute, groups);
      }
    }

    @Override
    public void reached(RuleGroups rule, long until, int groups) {
      census.count(rule.rule(), until, groups);
    }

    @Override
    public void looked(int groups) {
      evaluated.inc(groups);
    }
  }

  /** Has stored signals decided again: those in memory had no timer. */
  private void takeOver() {
    long dueAt = restoredWatermark + 1;
    try (Stream<String> keys =
        this.<String>getKeyedStateBackend()
            .getKeys(KeyedSignalStore.HEADER, VoidNamespace.INSTANCE)) {
      for (Iterator<String> each = keys.iterator(); each.hasNext(); ) {
        HeldSignal signal = new HeldSignal(each.next(), store, dueAt);
        if (!held.hold(signal)) {
          setCurrentKey(signal.key());
          schedule(dueAt);
        }
      }
    }
  }

  /** Writes what is new of signals in memory. The current key is another afterwards. */
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
    RuleVersions now = rules.rule(record.key());
    if (now != null) {
      looking.put(record.key(), now);
    } else {
      looking.remove(record.key());
      census.forget(record.key());
      if (part == 0) {
        output.collect(COUNTS, new StreamRecord<>(GroupCount.gone(record.key())));
      }
    }
  }

  @Override
  public void processElement1(StreamRecord<SignalMinute> element) throws Exception {
    SignalMinute minute = element.getValue();
    long now = timers.currentWatermark();
    if (minute.part() != SignalMinute.ROWS) {
      takeOpen(minute, now);
      return;
    }
    HeldSignal signal = current();
    signal.take(minute, looking, now);
    keep(signal);
    reduce();
  }

  private HeldSignal current() {
    String key = (String) getCurrentKey();
    HeldSignal known = held.find(key);
    return known == null ? new HeldSignal(key, store, Long.MAX_VALUE) : known;
  }

  private void schedule(long time) {
    timers.registerEventTimeTimer(VoidNamespace.INSTANCE, time);
  }

  /** Keeps a signal of the current key in memory, or writes it and sets its timer. */
  private void keep(HeldSignal signal) {
    if (!held.hold(signal)) {
      held.write(signal);
      wake(signal);
    }
  }

  /** Holds to the bound. The current key is another afterwards. */
  private void reduce() {
    if (held.isTooMuch()) {
      held.reduce(this::setCurrentKey, this::wake);
    }
  }

  /** Sets the timer of a signal that is not in memory. Without a time it has one already. */
  private void wake(HeldSignal signal) {
    if (signal.dueAt() != Long.MAX_VALUE) {
      schedule(signal.dueAt());
    }
  }

  /** Keeps figures of an open minute in the place of those before, and looks at them soon. */
  private void takeOpen(SignalMinute minute, long now) throws Exception {
    String key = (String) getCurrentKey();
    boolean isComplete = minute.start() + MINUTE_MS <= now + 1;
    if (isComplete || looking.of(key).stream().noneMatch(rule -> isEarly(rule, key))) {
      return;
    }
    openMinutes.put(minute);
    HeldSignal signal = held.find(key);
    if (signal != null) {
      signal.setOpenMinutes(true);
    }
    schedule(minute.start() + MINUTE_MS - 1);
    long clock = timers.currentProcessingTime();
    timers.registerProcessingTimeTimer(
        VoidNamespace.INSTANCE, (Math.floorDiv(clock, EARLY_STEP_MS) + 1) * EARLY_STEP_MS);
  }

  /** Whether a rule looks at open minutes of a signal. */
  private boolean isEarly(String rule, String signal) {
    RuleVersions versions = rules.rule(rule);
    return versions != null
        && versions.latest().early()
        && !versions.isOther(SignalMinute.identityOf(signal));
  }

  /** Has open minutes decided as if they were complete, and keeps what they raise. */
  @Override
  public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    String key = timer.getKey();
    HeldSignal signal = current();
    Map<String, OpenMinuteStore.History> histories = openMinutes.histories(signal);
    for (String rule : looking.of(key)) {
      if (isEarly(rule, key)) {
        raisedEarly.inc(
            early.raise(signal, rule, rules.rule(rule), histories, timers.currentWatermark()));
      }
    }
  }

  private void tell(AlertTransition transition) {
    told.inc();
    output.collect(new StreamRecord<>(transition));
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (mark.getTimestamp() != Long.MAX_VALUE) {
      watermark = Math.max(watermark, mark.getTimestamp());
    }
    for (HeldSignal signal : held.due(mark.getTimestamp())) {
      setCurrentKey(signal.key());
      decide(signal, signal.dueAt(), mark.getTimestamp());
      // After a restart they are read while they are decided.
      reduce();
    }
    super.processWatermark(mark);
  }

  /** Decides a signal that found no room in memory, or whose open minute is complete. */
  @Override
  public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    HeldSignal signal = current();
    long now = timers.currentWatermark();
    boolean isLater = signal.dueAt() > now && signal.dueAt() != Long.MAX_VALUE;
    if (!isLater || signal.hasOpenMinutes()) {
      decide(signal, timer.getTimestamp(), now);
    }
    reduce();
  }

  /**
   * @param signal that of the current key
   * @param dueAt time at which it was to be decided
   */
  private void decide(HeldSignal signal, long dueAt, long now) throws Exception {
    // The end of input is no time.
    long complete = now == Long.MAX_VALUE ? dueAt + 1 : now + 1;
    long ofTenant = lags.completeUntil(SignalMinute.organizationOf(signal.key()), complete);
    boolean isKnown = signal.isKnown();
    if (isKnown) {
      signal.follow(looking, complete - 1);
      decider.decide(signal, new Completeness(now, complete, ofTenant));
    }
    boolean isOpen = early.settle(signal, rules, ofTenant);
    decider.finish(signal);
    if (!isKnown || signal.isOver(now, PATIENCE.toMillis())) {
      if (isKnown) {
        signal.release();
        held.remove(signal);
      }
      if (isOpen && now != Long.MAX_VALUE) {
        schedule(now + MINUTE_MS);
      }
      return;
    }
    long next = signal.undecided() + MINUTE_MS - 1;
    signal.due(now == Long.MAX_VALUE ? Long.MAX_VALUE : next > now ? next : now + MINUTE_MS);
    keep(signal);
  }

  /** Signals in memory. */
  int heldSignals() {
    return held.size();
  }
}

package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.AlertMetrics;
import io.tidemark.flink.alert.match.PackedGroups;
import io.tidemark.flink.alert.match.RollupRow;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.match.SignalSide;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.live.OpenMinuteSnapshot;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.series.SeriesKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Finds the rules that ask for open minutes and that cells of the live topic concern, and says what
 * the cells of a key group come to for each group. Without such a rule records are not even parsed.
 *
 * <p>What cells are is in no checkpoint. After a restart cells of the minutes that were open then
 * would be a part of them only, so their minutes are left out: the next one is whole.
 */
public final class OpenMinuteMatcher
    extends BroadcastProcessFunction<LiveRecord, ControlRecord, SignalMinute> {
  private static final long serialVersionUID = 1L;

  /** The rules themselves, and the versions before them. */
  public static final MapStateDescriptor<String, byte[]> RULES = RuleTable.LATEST;

  public static final MapStateDescriptor<String, byte[]> RULES_BEFORE = RuleTable.PREVIOUS;

  /** What was taken longer ago is no news: the job catches up, and complete rows come with it. */
  private static final Duration NEWS = Duration.ofSeconds(60);

  /** Cells of a minute come until fifteen seconds after its end. */
  private static final long LAST_CELLS_MS = 2 * MINUTE_MS;

  /** Cells of one group, minute and key group are added up with every record that has one. */
  private static final int MAX_CELLS_OF_GROUP = 2_000;

  /** Of one subtask; some hundred bytes each. */
  private static final int MAX_CELLS = 200_000;

  private record MinuteOfKeyGroup(int keyGroup, long minute) {}

  private record Target(SignalSide signal, String labels) {}

  /** Cells of one minute and key group that rules want. */
  private static final class OpenMinute {
    private final Map<SeriesKey, List<Target>> targets = new HashMap<>();
    private final Map<Target, Map<SeriesKey, MinuteTotals>> cells = new HashMap<>();
    private int size;
  }

  private transient RuleTable rules;
  private transient RollupRow row;
  private transient Map<MinuteOfKeyGroup, OpenMinute> minutes;
  private transient int held;
  private transient long from;
  private transient Counter unreadable;
  private transient Counter leftOut;

  @Override
  public void open(OpenContext context) {
    rules = new RuleTable(AlertRule::early);
    row = new RollupRow();
    minutes = new HashMap<>();
    held = 0;
    from = Long.MIN_VALUE;
    var metrics = getRuntimeContext().getMetricGroup();
    unreadable = JobMetrics.counter(metrics, AlertMetrics.SNAPSHOTS_UNREADABLE);
    leftOut = JobMetrics.counter(metrics, AlertMetrics.OPEN_CELLS_LEFT_OUT);
  }

  @Override
  public void processBroadcastElement(
      ControlRecord record, Context context, Collector<SignalMinute> out) throws Exception {
    var latest = context.getBroadcastState(RuleTable.LATEST);
    var previous = context.getBroadcastState(RuleTable.PREVIOUS);
    rules.load(latest, previous);
    // That a record is not in force is counted and logged where rows are matched.
    var unused = rules.accept(record, latest, previous);
  }

  @Override
  public void processElement(
      LiveRecord record, ReadOnlyContext context, Collector<SignalMinute> out) throws Exception {
    rules.load(
        context.getBroadcastState(RuleTable.LATEST), context.getBroadcastState(RuleTable.PREVIOUS));
    if (rules.index().isEmpty()) {
      minutes.clear();
      held = 0;
      from = Long.MIN_VALUE;
      return;
    }
    try {
      OpenMinuteSnapshot snapshot = OpenMinuteSnapshot.read(record.snapshot());
      if (isNews(snapshot, context.currentProcessingTime())) {
        match(snapshot, out);
      }
    } catch (IOException e) {
      unreadable.inc();
    }
  }

  private boolean isNews(OpenMinuteSnapshot snapshot, long now) {
    long takenAt = snapshot.takenAt();
    if (from == Long.MIN_VALUE) {
      from = Math.floorDiv(takenAt, MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    }
    return snapshot.minute() >= from
        && snapshot.minute() <= takenAt
        && now - takenAt <= NEWS.toMillis();
  }

  private void match(OpenMinuteSnapshot snapshot, Collector<SignalMinute> out) throws IOException {
    forget(snapshot.takenAt());
    MinuteOfKeyGroup place = new MinuteOfKeyGroup(snapshot.keyGroup(), snapshot.minute());
    OpenMinute minute = minutes.get(place);
    if (minute == null) {
      minute = new OpenMinute();
    }
    Map<Target, Map<SeriesKey, MinuteTotals>> changed = new LinkedHashMap<>();
    for (int cell = 0; cell < snapshot.cells(); cell++) {
      SeriesKey series = snapshot.series(cell);
      byte[] description = snapshot.description(cell);
      List<Target> targets =
          description == null ? minute.targets.get(series) : targets(description, place.minute());
      if (targets == null || targets.isEmpty()) {
        continue;
      }
      minute.targets.put(series, targets);
      put(minute, targets, series, totals(snapshot, cell), changed);
    }
    if (minute.size > 0) {
      minutes.put(place, minute);
    }
    changed.forEach(
        (target, cells) ->
            out.collect(
                target
                    .signal()
                    .minute(
                        place.minute(),
                        PackedGroups.of(
                            target.labels(),
                            cells.values().stream().reduce(RowMatcher.NOTHING, MinuteTotals::add),
                            place.minute()),
                        place.keyGroup())));
  }

  private void put(
      OpenMinute minute,
      List<Target> targets,
      SeriesKey series,
      MinuteTotals totals,
      Map<Target, Map<SeriesKey, MinuteTotals>> changed) {
    for (Target target : targets) {
      Map<SeriesKey, MinuteTotals> cells =
          minute.cells.computeIfAbsent(target, ignored -> new HashMap<>());
      boolean isKnown = cells.containsKey(series);
      if (!isKnown && (held >= MAX_CELLS || cells.size() >= MAX_CELLS_OF_GROUP)) {
        leftOut.inc();
        continue;
      }
      cells.put(series, totals);
      if (!isKnown) {
        minute.size++;
        held++;
      }
      changed.put(target, cells);
    }
  }

  private void forget(long takenAt) {
    minutes
        .entrySet()
        .removeIf(
            entry -> {
              boolean isOver = entry.getKey().minute() + LAST_CELLS_MS < takenAt;
              held -= isOver ? entry.getValue().size : 0;
              return isOver;
            });
  }

  /** The groups of signals that a series is in. */
  private List<Target> targets(byte[] description, long minute) throws IOException {
    List<Target> targets = new ArrayList<>();
    if (row.describe(description, minute, rules.index()::isWanted)) {
      rules.index().match(row, (signal, labels) -> targets.add(new Target(signal, labels)));
    }
    return targets;
  }

  private static MinuteTotals totals(OpenMinuteSnapshot snapshot, int cell) throws IOException {
    if (snapshot.isTakenBack(cell)) {
      return RowMatcher.NOTHING;
    }
    MinuteTotals figures =
        MinuteTotals.of(
            snapshot.sum(cell),
            snapshot.count(cell),
            snapshot.min(cell),
            snapshot.max(cell),
            snapshot.last(cell),
            snapshot.lastTime(cell));
    String distribution = snapshot.distribution(cell);
    return distribution == null ? figures : RollupRow.withDistribution(figures, distribution);
  }
}

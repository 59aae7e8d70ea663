package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.match.RuleMinute;
import io.tidemark.flink.model.alert.EarlyAlert;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * Figures of open minutes of the current key, and what they raised. Both are released when the
 * minute is complete, and with the group.
 */
final class OpenMinuteStore {

  /** Numbers a minute's sides in the state. */
  private static final int SIDES = 2;

  private final MapState<Long, MinuteTotals> figures;
  private final ValueState<EarlyAlert> early;

  OpenMinuteStore(KeyedStateStore states) {
    figures =
        states.getMapState(
            new MapStateDescriptor<>(
                "open-minutes", Types.LONG, TypeInformation.of(MinuteTotals.class)));
    early =
        states.getState(
            new ValueStateDescriptor<>("early-alert", TypeInformation.of(EarlyAlert.class)));
  }

  /** Keeps figures in the place of those before. */
  void put(RuleMinute minute) throws Exception {
    long sideOfPart = (long) SIDES * minute.part() + minute.side();
    figures.put(minute.start() + sideOfPart, minute.totals());
  }

  /** What was raised and is not settled. */
  @Nullable EarlyAlert early() throws Exception {
    return early.value();
  }

  void putEarly(EarlyAlert raised) throws Exception {
    early.update(raised);
  }

  void removeEarly() {
    early.clear();
  }

  /**
   * Removes figures of minutes that are complete.
   *
   * @return whether figures are left
   */
  boolean removeBefore(long completeUntil) throws Exception {
    boolean isLeft = false;
    List<Long> places = new ArrayList<>();
    figures.keys().forEach(places::add);
    for (long place : places) {
      if (minuteOf(place) + MINUTE_MS <= completeUntil) {
        figures.remove(place);
      } else {
        isLeft = true;
      }
    }
    return isLeft;
  }

  void clear() {
    figures.clear();
    early.clear();
  }

  private static long minuteOf(long place) {
    return Math.floorDiv(place, MINUTE_MS) * MINUTE_MS;
  }

  /** Figures of open minutes; of other minutes the totals of rows. */
  History history(HeldGroup rows) throws Exception {
    History history = new History(rows);
    for (Map.Entry<Long, MinuteTotals> part : figures.entries()) {
      long minute = minuteOf(part.getKey());
      history.add((int) ((part.getKey() - minute) % SIDES), minute, part.getValue());
    }
    return history;
  }

  /** Minutes of a group up to the newest open one. */
  static final class History implements SignalHistory {

    private final HeldGroup rows;
    private final Map<Long, MinuteTotals> figures = new HashMap<>();
    private long oldest = Long.MAX_VALUE;
    private long newest = Long.MIN_VALUE;

    private History(HeldGroup rows) {
      this.rows = rows;
    }

    private void add(int side, long minute, MinuteTotals part) {
      figures.merge(HeldGroup.place(side, minute), part, MinuteTotals::add);
      oldest = Math.min(oldest, minute);
      newest = Math.max(newest, minute);
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
      MinuteTotals open = figures.get(HeldGroup.place(side, start));
      return open == null ? rows.totals(side, start) : open;
    }
  }
}

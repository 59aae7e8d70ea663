package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.alert.match.PackedGroups;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.signal.HeldSignal;
import io.tidemark.flink.model.alert.EarlyAlert;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * Figures of open minutes of the groups of the current key, and what they raised. Both are released
 * when the minute is complete.
 */
final class OpenMinuteStore {

  /** Numbers a minute's sides in the state. */
  private static final int SIDES = 2;

  private static final char SEPARATOR = '\u0001';

  // By minute, part and side, and labels.
  private final MapState<String, MinuteTotals> figures;
  // By rule and labels.
  private final MapState<String, EarlyAlert> early;

  OpenMinuteStore(KeyedStateStore states) {
    figures =
        states.getMapState(
            new MapStateDescriptor<>(
                "open-minutes", Types.STRING, TypeInformation.of(MinuteTotals.class)));
    early =
        states.getMapState(
            new MapStateDescriptor<>(
                "early-alerts", Types.STRING, TypeInformation.of(EarlyAlert.class)));
  }

  /** Keeps figures in the place of those before. */
  void put(SignalMinute minute) throws Exception {
    long sideOfPart = (long) SIDES * minute.part() + minute.side();
    List<String> places = new ArrayList<>();
    List<MinuteTotals> totals = new ArrayList<>();
    PackedGroups.read(
        minute,
        (bytes, from, length, one) -> {
          String labels = new String(bytes, from, length, UTF_8);
          places.add(minute.start() + sideOfPart + String.valueOf(SEPARATOR) + labels);
          totals.add(one);
        });
    for (int i = 0; i < places.size(); i++) {
      figures.put(places.get(i), totals.get(i));
    }
  }

  private static long placeOf(String key) {
    return Long.parseLong(key.substring(0, key.indexOf(SEPARATOR)));
  }

  private static String labelsOf(String key) {
    return key.substring(key.indexOf(SEPARATOR) + 1);
  }

  private static long minuteOf(long place) {
    return Math.floorDiv(place, MINUTE_MS) * MINUTE_MS;
  }

  private static String alertKey(String rule, String labels) {
    return rule + SEPARATOR + labels;
  }

  /** The rule of a key of what was raised. */
  static String ruleOf(String key) {
    return key.substring(0, key.indexOf(SEPARATOR));
  }

  /** Whether a group of a rule was raised and is not settled. */
  boolean isRaised(String rule, String labels) throws Exception {
    return early.contains(alertKey(rule, labels));
  }

  /** What was raised and is not settled, by rule and labels. */
  Map<String, EarlyAlert> raised() throws Exception {
    Map<String, EarlyAlert> all = new TreeMap<>();
    for (Map.Entry<String, EarlyAlert> one : early.entries()) {
      all.put(one.getKey(), one.getValue());
    }
    return all;
  }

  void putRaised(String rule, EarlyAlert raised) throws Exception {
    early.put(alertKey(rule, raised.labels()), raised);
  }

  void removeRaised(String key) throws Exception {
    early.remove(key);
  }

  /**
   * Removes figures of minutes that are complete.
   *
   * @return whether figures are left
   */
  boolean removeBefore(long completeUntil) throws Exception {
    boolean isLeft = false;
    List<String> keys = new ArrayList<>();
    figures.keys().forEach(keys::add);
    for (String key : keys) {
      if (minuteOf(placeOf(key)) + MINUTE_MS <= completeUntil) {
        figures.remove(key);
      } else {
        isLeft = true;
      }
    }
    return isLeft;
  }

  /** Figures of open minutes by labels; of other minutes the totals of rows. */
  Map<String, History> histories(HeldSignal rows) throws Exception {
    Map<String, History> histories = new TreeMap<>();
    for (Map.Entry<String, MinuteTotals> part : figures.entries()) {
      long place = placeOf(part.getKey());
      long minute = minuteOf(place);
      histories
          .computeIfAbsent(labelsOf(part.getKey()), labels -> new History(rows, labels))
          .add((int) ((place - minute) % SIDES), minute, part.getValue());
    }
    return histories;
  }

  /** Minutes of a group up to the newest open one. */
  static final class History implements SignalHistory {

    private final HeldSignal rows;
    private final String labels;
    private final Map<Long, MinuteTotals> figures = new HashMap<>();
    private long oldest = Long.MAX_VALUE;
    private long newest = Long.MIN_VALUE;

    private History(HeldSignal rows, String labels) {
      this.rows = rows;
      this.labels = labels;
    }

    private void add(int side, long minute, MinuteTotals part) {
      figures.merge(minute + side, part, MinuteTotals::add);
      oldest = Math.min(oldest, minute);
      newest = Math.max(newest, minute);
    }

    long oldest() {
      return oldest;
    }

    long newest() {
      return newest;
    }

    @Override
    public @Nullable MinuteTotals totals(int side, long start) {
      MinuteTotals open = figures.get(start + side);
      return open == null ? rows.totals(side, start, labels) : open;
    }
  }
}

package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalHistory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A group in memory: itself, its latest minutes, and what is not written yet. What is not here is
 * read from the state, which has to be that of the same group.
 */
final class HeldGroup implements AlertGroupEvaluator.Store {

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();

  /** Of so many minutes more are written at once: whoever catches up decides many. */
  static final int MOST_MINUTES = 256;

  private static final int GROUP_BYTES = 450;
  private static final int MINUTE_BYTES = 100;
  private static final int BUCKET_BYTES = 12;

  private final String key;
  private final GroupStore store;
  private final HeldMinutes<MinuteTotals> totals = new HeldMinutes<>();
  private final HeldMinutes<AlertStatus> decisions = new HeldMinutes<>();
  private @Nullable AlertGroup group;
  private boolean isLoaded;
  private boolean isGroupChanged;
  private boolean hasOpenMinutes = true;
  private boolean isListed;
  private long dueAt;
  private long bucketBytes;
  private long bytes;

  /** Totals of minutes from here on are all in memory. */
  private long heldFrom = Long.MAX_VALUE;

  /** Minutes before it are dropped once they are written. */
  private long wantedFrom = Long.MIN_VALUE;

  /**
   * @param dueAt watermark at which it is to be decided
   */
  HeldGroup(String key, GroupStore store, long dueAt) {
    this.key = key;
    this.store = store;
    this.dueAt = dueAt;
  }

  /** Minutes and hours begin at whole minutes, so the side fits beside them. */
  static long place(int side, long start) {
    return start + side;
  }

  private static long startOf(long place) {
    return Math.floorDiv(place, MINUTE_MS) * MINUTE_MS;
  }

  private static boolean isHour(long place) {
    return place - startOf(place) == SignalHistory.HOURS;
  }

  String key() {
    return key;
  }

  /** Null for a group that is not known. */
  @Nullable AlertGroup group() {
    if (!isLoaded) {
      isLoaded = true;
      group = store.group();
      // No row came for a later minute, so there is nothing to read of it.
      heldFrom = group == null ? Long.MIN_VALUE : group.lastData() + MINUTE_MS;
    }
    return group;
  }

  void put(AlertGroup now) {
    isGroupChanged |= !now.equals(group());
    group = now;
  }

  long dueAt() {
    return dueAt;
  }

  void due(long watermark) {
    dueAt = watermark;
  }

  void dueBy(long watermark) {
    dueAt = Math.min(dueAt, watermark);
  }

  /** Whether it is among those that are to be written. */
  boolean isListed() {
    return isListed;
  }

  void setListed(boolean is) {
    isListed = is;
  }

  /** Whether figures of open minutes may be stored; true as long as nobody has looked. */
  boolean hasOpenMinutes() {
    return hasOpenMinutes;
  }

  void setOpenMinutes(boolean are) {
    hasOpenMinutes = are;
  }

  /** Adds what rows add to a minute or an hour. */
  void add(int side, long start, MinuteTotals added) {
    long place = place(side, start);
    MinuteTotals now = MinuteTotals.add(totals(side, start), added);
    bucketBytes += (long) BUCKET_BYTES * now.buckets().length;
    totals.change(place, now);
  }

  @Override
  public @Nullable MinuteTotals totals(int side, long start) {
    group();
    long place = place(side, start);
    if (totals.has(place)) {
      return totals.get(place);
    }
    if (side != SignalHistory.HOURS) {
      return start >= heldFrom ? null : store.totals(place);
    }
    MinuteTotals read = store.totals(place);
    totals.keep(place, read);
    return read;
  }

  @Override
  public @Nullable AlertStatus decided(long minute) {
    return decisions.has(minute) ? decisions.get(minute) : store.decision(minute);
  }

  @Override
  public void decide(long minute, AlertStatus status) {
    decisions.change(minute, status);
    if (decisions.size() > MOST_MINUTES) {
      writeDecisions();
    }
  }

  @Override
  public void forgetDecision(long minute) {
    decisions.change(minute, null);
  }

  @Override
  public void forgetTotals(int side, long start) {
    totals.change(place(side, start), null);
    if (totals.size() > MOST_MINUTES) {
      writeTotals();
    }
  }

  /** Minutes in memory. */
  int minutes() {
    return totals.size() + decisions.size();
  }

  /** Minutes before it, and hours when another begins, need not be in memory. */
  void wantFrom(long minute) {
    if (Math.floorDiv(minute, HOUR_MS) > Math.floorDiv(wantedFrom, HOUR_MS)) {
      totals.drop(HeldGroup::isHour);
    }
    wantedFrom = minute;
  }

  /** Writes what the state does not have, and drops minutes that are not wanted any more. */
  void write() {
    if (isGroupChanged && group != null) {
      store.put(group);
      isGroupChanged = false;
    }
    writeTotals();
    writeDecisions();
    totals.drop(place -> !isHour(place) && startOf(place) < wantedFrom);
    heldFrom = Math.max(heldFrom, wantedFrom);
    bucketBytes = 0;
  }

  private void writeTotals() {
    totals.write(
        (place, value) -> {
          if (value == null) {
            store.removeTotals(place);
          } else {
            store.putTotals(place, value);
          }
        });
  }

  private void writeDecisions() {
    decisions.write(
        (minute, status) -> {
          if (status == null) {
            store.removeDecision(minute);
          } else {
            store.putDecision(minute, status);
          }
        });
    decisions.drop(minute -> true);
  }

  /** Writes, and holds no minute any more. */
  void shrink() {
    write();
    totals.drop(place -> true);
    heldFrom = group == null ? heldFrom : Math.max(heldFrom, group.lastData() + MINUTE_MS);
  }

  /** Takes all of it out of memory and state. */
  void release() {
    store.clear();
    isLoaded = true;
    group = null;
    isGroupChanged = false;
    totals.clear();
    decisions.clear();
    heldFrom = Long.MIN_VALUE;
  }

  /** How much it grew since this was asked for the last time; an estimate. */
  long grown() {
    long now =
        GROUP_BYTES
            + 2L * key.length()
            + (long) MINUTE_BYTES * (totals.size() + decisions.size())
            + bucketBytes;
    long before = bytes;
    bytes = now;
    return now - before;
  }

  long bytes() {
    return bytes;
  }
}

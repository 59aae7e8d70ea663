package io.tidemark.flink.alert.operator;

import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/** Keyed state of groups; what it throws is a failure of the state backend. */
final class KeyedGroupStore implements GroupStore {

  /** Every group has one, so its keys are the groups. */
  static final String GROUP = "alert-group";

  // Released with the group: when its rule goes, looks at something else, or it is silent.
  private final ValueState<AlertGroup> group;
  // Released minute by minute, as they can no longer be needed, and with the group.
  private final MapState<Long, MinuteTotals> totals;
  private final MapState<Long, AlertStatus> decisions;

  KeyedGroupStore(KeyedStateStore states) {
    group =
        states.getState(new ValueStateDescriptor<>(GROUP, TypeInformation.of(AlertGroup.class)));
    totals =
        states.getMapState(
            new MapStateDescriptor<>(
                "minute-totals", Types.LONG, TypeInformation.of(MinuteTotals.class)));
    decisions =
        states.getMapState(
            new MapStateDescriptor<>(
                "decisions", Types.LONG, TypeInformation.of(AlertStatus.class)));
  }

  @Override
  public @Nullable AlertGroup group() {
    return attempt(group::value);
  }

  @Override
  public void put(AlertGroup now) {
    attempt(
        () -> {
          group.update(now);
          return null;
        });
  }

  @Override
  public @Nullable MinuteTotals totals(long place) {
    return attempt(() -> totals.get(place));
  }

  @Override
  public void putTotals(long place, MinuteTotals now) {
    attempt(
        () -> {
          totals.put(place, now);
          return null;
        });
  }

  @Override
  public void removeTotals(long place) {
    attempt(
        () -> {
          totals.remove(place);
          return null;
        });
  }

  @Override
  public @Nullable AlertStatus decision(long minute) {
    return attempt(() -> decisions.get(minute));
  }

  @Override
  public void putDecision(long minute, AlertStatus status) {
    attempt(
        () -> {
          decisions.put(minute, status);
          return null;
        });
  }

  @Override
  public void removeDecision(long minute) {
    attempt(
        () -> {
          decisions.remove(minute);
          return null;
        });
  }

  @Override
  public void clear() {
    group.clear();
    totals.clear();
    decisions.clear();
  }

  private static <T> @Nullable T attempt(Callable<@Nullable T> access) {
    try {
      return access.call();
    } catch (Exception e) {
      throw new IllegalStateException("State of an alert cannot be read or written", e);
    }
  }
}

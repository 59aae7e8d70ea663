package io.tidemark.flink.alert.operator;

import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.progress.ProgressRecord;
import io.tidemark.flink.model.completeness.TenantLag;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/** Tenants whose rows are behind those of others, as broadcast state. */
final class TenantLags {

  static final MapStateDescriptor<String, Long> STATE =
      new MapStateDescriptor<>("tenant-lags", Types.STRING, Types.LONG);

  private final BroadcastState<String, Long> state;
  private Map<String, Long> behind;

  TenantLags(BroadcastState<String, Long> state) throws Exception {
    this.state = state;
    this.behind = new HashMap<>();
    for (Map.Entry<String, Long> entry : state.immutableEntries()) {
      behind.put(entry.getKey(), entry.getValue());
    }
  }

  /** Takes over what a statement says. Where a tenant was complete once it stays complete. */
  void accept(ControlRecord statement) throws Exception {
    if (ProgressRecord.completeUntil(statement.value()).isEmpty()) {
      return;
    }
    Map<String, Long> now = new HashMap<>();
    for (TenantLag lag : ProgressRecord.lagging(statement.value())) {
      now.put(
          lag.organizationId(),
          Math.max(lag.completeUntil(), behind.getOrDefault(lag.organizationId(), 0L)));
    }
    if (!now.equals(behind)) {
      state.clear();
      state.putAll(now);
      behind = now;
    }
  }

  /** How far rows of a tenant are complete; null when it is not behind. */
  @Nullable Long of(String organizationId) {
    return behind.get(organizationId);
  }

  /**
   * How far rows of a tenant are complete.
   *
   * @param complete how far rows are in general
   */
  long completeUntil(String organizationId, long complete) {
    return Math.min(complete, behind.getOrDefault(organizationId, Long.MAX_VALUE));
  }
}

package io.tidemark.flink.io.admission;

import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.TenantRecord;
import io.tidemark.flink.model.tenant.EnvironmentSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/** Control records of tenants as broadcast state: the last good record of every key, as bytes. */
final class Tenants {

  static final MapStateDescriptor<String, byte[]> STATE =
      new MapStateDescriptor<>(
          "tenants", Types.STRING, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  /** Decoded records; empty for environments without one. */
  private final Map<String, Optional<EnvironmentSettings>> decoded = new HashMap<>();

  private long census = UNREAD;

  private static final long UNREAD = -1;

  /** Puts a record in force; returns why not, if it cannot be read. */
  @Nullable String accept(ControlRecord record, BroadcastState<String, byte[]> state)
      throws Exception {
    TenantRecord read = TenantRecord.of(record);
    if (read instanceof TenantRecord.Unreadable unreadable) {
      return unreadable.why();
    }
    if (read instanceof TenantRecord.Gone) {
      state.remove(record.key());
    } else if (!isOlder(read, state.get(record.key()), record.key())) {
      state.put(record.key(), record.value());
    }
    decoded.clear();
    census = UNREAD;
    return null;
  }

  @Nullable EnvironmentSettings standing(
      String organizationId, String environmentId, ReadOnlyBroadcastState<String, byte[]> state)
      throws Exception {
    String key = TenantRecord.key(organizationId, environmentId);
    Optional<EnvironmentSettings> known = decoded.get(key);
    if (known == null) {
      known =
          read(key, state.get(key)) instanceof TenantRecord.Environment environment
              ? Optional.of(environment.standing())
              : Optional.empty();
      decoded.put(key, known);
    }
    return known.orElse(null);
  }

  /** Up to when every environment was published; 0 when nobody said. */
  long publishedThrough(ReadOnlyBroadcastState<String, byte[]> state) throws Exception {
    if (census == UNREAD) {
      census =
          read(TenantRecord.CENSUS_KEY, state.get(TenantRecord.CENSUS_KEY))
                  instanceof TenantRecord.Census read
              ? read.publishedThroughUnixMs()
              : 0;
    }
    return census;
  }

  private static boolean isOlder(TenantRecord read, byte @Nullable [] inForce, String key) {
    TenantRecord before = read(key, inForce);
    if (read instanceof TenantRecord.Environment now
        && before instanceof TenantRecord.Environment then) {
      return now.standing().version() < then.standing().version();
    }
    return read instanceof TenantRecord.Census now
        && before instanceof TenantRecord.Census then
        && now.publishedThroughUnixMs() < then.publishedThroughUnixMs();
  }

  private static @Nullable TenantRecord read(String key, byte @Nullable [] value) {
    return value == null ? null : TenantRecord.of(new ControlRecord(key, value));
  }
}

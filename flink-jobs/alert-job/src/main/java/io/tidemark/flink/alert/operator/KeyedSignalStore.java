package io.tidemark.flink.alert.operator;

import io.tidemark.flink.alert.signal.SignalStore;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/** Keyed state of signals; what it throws is a failure of the state backend. */
final class KeyedSignalStore implements SignalStore {

  /** Every signal has one, so its keys are the signals. */
  static final String HEADER = "signal-header";

  // Both are released with the signal: when no rule has a group of it any more. Pages of minutes
  // are overwritten by later ones, and those of rules go with the rule.
  private final ValueState<byte[]> header;
  private final MapState<Long, byte[]> pages;

  KeyedSignalStore(KeyedStateStore states) {
    header =
        states.getState(
            new ValueStateDescriptor<>(
                HEADER, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    pages =
        states.getMapState(
            new MapStateDescriptor<>(
                "signal-pages", Types.LONG, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
  }

  @Override
  public byte @Nullable [] header() {
    return attempt(() -> header.value());
  }

  @Override
  public void putHeader(byte[] now) {
    attempt(
        () -> {
          header.update(now);
          return null;
        });
  }

  @Override
  public byte @Nullable [] page(long key) {
    return attempt(() -> pages.get(key));
  }

  @Override
  public void putPage(long key, byte[] page) {
    attempt(
        () -> {
          pages.put(key, page);
          return null;
        });
  }

  @Override
  public void removePage(long key) {
    attempt(
        () -> {
          pages.remove(key);
          return null;
        });
  }

  @Override
  public void clear() {
    header.clear();
    pages.clear();
  }

  private static <T> @Nullable T attempt(Callable<@Nullable T> access) {
    try {
      return access.call();
    } catch (Exception e) {
      throw new IllegalStateException("State of an alert cannot be read or written", e);
    }
  }
}

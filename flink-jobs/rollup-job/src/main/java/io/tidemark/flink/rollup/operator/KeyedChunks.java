package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.model.panes.state.ChunkStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;

/** The chunks of the key group whose key is the current one, in keyed state. */
final class KeyedChunks implements ChunkStore {

  // Figures and readings; removed when their window is emitted.
  private final MapState<Long, byte[]> chunks;

  // Descriptors: apart, because merging figures should not write them again.
  private final MapState<Long, byte[]> series;

  KeyedChunks(KeyedStateStore state) {
    chunks = state.getMapState(descriptor("chunks"));
    series = state.getMapState(descriptor("series"));
  }

  private static MapStateDescriptor<Long, byte[]> descriptor(String name) {
    return new MapStateDescriptor<>(
        name, Types.LONG, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
  }

  /** Everything, for a restore. */
  Map<Long, byte[]> all() throws Exception {
    Map<Long, byte[]> all = new HashMap<>();
    for (MapState<Long, byte[]> state : List.of(chunks, series)) {
      for (Map.Entry<Long, byte[]> chunk : state.entries()) {
        all.put(chunk.getKey(), chunk.getValue());
      }
    }
    return all;
  }

  @Override
  public void put(long key, byte[] chunk) {
    try {
      of(key).put(key, chunk);
    } catch (Exception e) {
      throw new IllegalStateException("Writing a chunk failed", e);
    }
  }

  @Override
  public void remove(long key) {
    try {
      of(key).remove(key);
    } catch (Exception e) {
      throw new IllegalStateException("Removing a chunk failed", e);
    }
  }

  private MapState<Long, byte[]> of(long key) {
    return ChunkStore.isOfSeries(key) ? series : chunks;
  }
}

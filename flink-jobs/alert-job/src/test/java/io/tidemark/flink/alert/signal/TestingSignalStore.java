package io.tidemark.flink.alert.signal;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** State of one signal in maps, which counts how often it is read and written. */
final class TestingSignalStore implements SignalStore {

  final Map<Long, byte[]> pages = new HashMap<>();
  byte @Nullable [] header;
  int reads;
  int writes;
  int removals;

  @Override
  public byte @Nullable [] header() {
    reads++;
    return header;
  }

  @Override
  public void putHeader(byte[] now) {
    writes++;
    header = now;
  }

  @Override
  public byte @Nullable [] page(long key) {
    reads++;
    return pages.get(key);
  }

  @Override
  public void putPage(long key, byte[] page) {
    writes++;
    pages.put(key, page);
  }

  @Override
  public void removePage(long key) {
    removals++;
    pages.remove(key);
  }

  @Override
  public void clear() {
    header = null;
    pages.clear();
  }
}

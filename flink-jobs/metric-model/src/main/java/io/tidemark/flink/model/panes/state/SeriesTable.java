package io.tidemark.flink.model.panes.state;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The series of one key group. Their indexes are dense and lowest first, because figures lie in
 * arrays by index.
 */
final class SeriesTable {

  private static final int NONE = -1;
  private static final int FIXED_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;

  /** One series of so many may be out of its place. */
  private static final int OUT_OF_PLACE = 16;

  private final SeriesHeads heads;
  private int[] table = new int[128];
  private final List<@Nullable SeriesState> byIndex = new ArrayList<>();
  private final ArrayDeque<Integer> free = new ArrayDeque<>();
  private final Map<Integer, Integer> restoredFolds = new HashMap<>();
  private int size;
  private int nextRank;

  /** Ranks below are as the rows' texts. */
  private int arranged;

  private boolean lackedTexts;

  /** Chunks of descriptors that changed since they were stored. */
  final Set<Integer> dirtyChunks = new HashSet<>();

  /**
   * @param heads of the subtask
   */
  SeriesTable(SeriesHeads heads) {
    this.heads = heads;
    Arrays.fill(table, NONE);
  }

  int size() {
    return size;
  }

  @Nullable SeriesState find(long high, long low) {
    int mask = table.length - 1;
    int place = place(low, mask);
    while (table[place] != NONE) {
      SeriesState series = byIndex.get(table[place]);
      if (series != null && series.low == low && series.high == high) {
        return series;
      }
      place = (place + 1) & mask;
    }
    return null;
  }

  SeriesState add(long high, long low, byte[] descriptor, long now) {
    SeriesState series = add(high, low, now);
    series.describe(descriptor, heads);
    return series;
  }

  SeriesState addFolded(long high, long low, SeriesState into, long now) {
    SeriesState series = add(high, low, now);
    series.foldInto(into);
    return series;
  }

  /** A folded series counts for itself from now on. */
  void unfold(SeriesState series, byte[] descriptor) {
    series.describe(descriptor, heads);
    dirtyChunks.add(series.index / PaneChunk.SIZE);
  }

  SeriesState at(int index) {
    SeriesState series = index < byIndex.size() ? byIndex.get(index) : null;
    if (series == null) {
      throw new IllegalStateException("No series has index " + index + ": the state is damaged");
    }
    return series;
  }

  /**
   * Ranks the series as a table sorts their rows: by what rows begin with, then by key. Who sorts
   * rows that come like this has little to compare. Series that came since, few, are behind; a text
   * is there with the first row only, so all are ranked once more after it.
   */
  void arrange() {
    boolean isAgain = lackedTexts;
    if (!isAgain && (nextRank - arranged) * OUT_OF_PLACE <= size) {
      return;
    }
    SeriesState[] all = byIndex.stream().filter(Objects::nonNull).toArray(SeriesState[]::new);
    Arrays.sort(all, SeriesTable::compareRows);
    nextRank = 0;
    for (SeriesState one : all) {
      one.rank = nextRank++;
    }
    arranged = nextRank;
    lackedTexts = !isAgain && size > 0 && all[size - 1].head().rowText() == null;
  }

  /** Those without a text are behind and stay as they are. */
  private static int compareRows(SeriesState one, SeriesState other) {
    byte[] text = one.head().rowText();
    byte[] otherText = other.head().rowText();
    if (text == null || otherText == null) {
      return Boolean.compare(text == null, otherText == null);
    }
    int byText = text == otherText ? 0 : Arrays.compareUnsigned(text, otherText);
    if (byText != 0) {
      return byText;
    }
    int byHigh = Long.compareUnsigned(one.high, other.high);
    return byHigh == 0 ? Long.compareUnsigned(one.low, other.low) : byHigh;
  }

  Iterable<@Nullable SeriesState> all() {
    return byIndex;
  }

  /** The series of a chunk, with gaps; none when the table no longer reaches it. */
  List<@Nullable SeriesState> ofChunk(int chunk) {
    int from = Math.min(chunk * PaneChunk.SIZE, byIndex.size());
    return byIndex.subList(from, Math.min(from + PaneChunk.SIZE, byIndex.size()));
  }

  /** Series without use go; their indexes are given out again. */
  void remove(List<SeriesState> gone) {
    if (gone.isEmpty()) {
      return;
    }
    for (SeriesState series : gone) {
      if (series.into != null) {
        series.into.uses--;
      }
      byIndex.set(series.index, null);
      free.add(series.index);
      dirtyChunks.add(series.index / PaneChunk.SIZE);
      size--;
    }
    if (size == 0) {
      byIndex.clear();
      free.clear();
    }
    rebuild(table.length);
  }

  /** Whether no series can be added to a chunk. */
  boolean isFull(int chunk) {
    return (chunk + 1) * PaneChunk.SIZE <= byIndex.size();
  }

  /** The descriptors of a chunk; null when it has none any more. */
  byte @Nullable [] encode(int chunk) {
    int from = chunk * PaneChunk.SIZE;
    int to = Math.min(from + PaneChunk.SIZE, byIndex.size());
    int length = 0;
    for (int index = from; index < to; index++) {
      SeriesState series = byIndex.get(index);
      length += series == null ? 0 : FIXED_BYTES + Integer.BYTES + series.descriptorLength();
    }
    if (length == 0) {
      return null;
    }
    ByteBuffer out = ByteBuffer.allocate(length);
    for (int index = from; index < to; index++) {
      SeriesState series = byIndex.get(index);
      if (series != null) {
        out.put((byte) (index - from)).putLong(series.high).putLong(series.low);
        out.putInt(series.into == null ? NONE : series.into.index);
        out.putInt(series.descriptorLength());
        series.putDescriptor(out);
      }
    }
    return out.array();
  }

  void restore(int chunk, byte[] bytes, long now) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      int index = chunk * PaneChunk.SIZE + in.get();
      long high = in.getLong();
      long low = in.getLong();
      int into = in.getInt();
      byte[] descriptor = new byte[in.getInt()];
      in.get(descriptor);
      SeriesState series = new SeriesState(high, low, index, now);
      if (descriptor.length > 0) {
        series.describe(descriptor, heads);
      }
      put(series);
      if (into != NONE) {
        restoredFolds.put(index, into);
      }
    }
  }

  /** After all chunks are restored: indexes between them are free. */
  void restored() {
    restoredFolds.forEach((folded, into) -> at(folded).foldInto(at(into)));
    restoredFolds.clear();
    for (int index = 0; index < byIndex.size(); index++) {
      if (byIndex.get(index) == null) {
        free.add(index);
      }
    }
  }

  private SeriesState add(long high, long low, long now) {
    Integer reused = free.poll();
    int index = reused == null ? byIndex.size() : reused;
    SeriesState series = new SeriesState(high, low, index, now);
    put(series);
    dirtyChunks.add(index / PaneChunk.SIZE);
    return series;
  }

  private void put(SeriesState series) {
    while (byIndex.size() <= series.index) {
      byIndex.add(null);
    }
    byIndex.set(series.index, series);
    series.rank = nextRank++;
    size++;
    if (size * 2 > table.length) {
      rebuild(table.length * 2);
    } else {
      hash(series);
    }
  }

  private void rebuild(int capacity) {
    table = new int[capacity];
    Arrays.fill(table, NONE);
    for (SeriesState series : byIndex) {
      if (series != null) {
        hash(series);
      }
    }
  }

  private void hash(SeriesState series) {
    int mask = table.length - 1;
    int place = place(series.low, mask);
    while (table[place] != NONE) {
      place = (place + 1) & mask;
    }
    table[place] = series.index;
  }

  /** Keys are cryptographic hashes: any of their bits will do. */
  private static int place(long low, int mask) {
    return (int) (low >>> 24) & mask;
  }
}

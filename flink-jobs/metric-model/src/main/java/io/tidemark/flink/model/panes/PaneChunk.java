package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.distribution.Distribution;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Figures of up to {@value #SIZE} neighbouring series in one window: the unit that is allocated,
 * marked as changed and stored. Grows with its cells.
 */
final class PaneChunk {

  static final int SIZE = 64;
  private static final int DOUBLES = 4;
  private static final int LONGS = 2;

  /** Of a cell without a distribution, its share of the chunk included. */
  private static final int CELL_BYTES = 64;

  private static final Distribution NO_DISTRIBUTION = new Distribution();

  /** Cell of a series by its place in the chunk. */
  private final byte[] cells = new byte[SIZE];

  /** Sum, min, max, last of each cell. */
  private double[] doubles;

  /** Count, time of last of each cell. */
  private long[] longs;

  /** Distribution of each cell; null while no series of the chunk has one, as most never do. */
  private @Nullable Distribution @Nullable [] distributions;

  private int size;
  private long present;

  /** Cells that changed since a snapshot took them, and cells that no snapshot took yet. */
  private long unseen;

  private long seen;

  /** Where it lies in the store. */
  final long key;

  // Of ChangedChunks.
  boolean isChanged;
  @Nullable PaneChunk newer;
  @Nullable PaneChunk older;

  /** Time of the last change, and how long before it the one before was. */
  long changedAt;

  long pause;

  /** Whether an older or equal version lies in the store. */
  boolean isStored;

  /**
   * @param expected cells, at least 1
   */
  PaneChunk(long key, int expected) {
    this.key = key;
    this.doubles = new double[expected * DOUBLES];
    this.longs = new long[expected * LONGS];
  }

  int size() {
    return size;
  }

  boolean has(int i) {
    return (present & (1L << i)) != 0;
  }

  long present() {
    return present;
  }

  /** Its memory, in cells of numbers; room for more counts as well. */
  int weight() {
    int bytes = longs.length / LONGS * CELL_BYTES;
    if (distributions != null) {
      for (Distribution distribution : distributions) {
        bytes += distribution == null ? 0 : distribution.heapBytes();
      }
    }
    return (bytes + CELL_BYTES - 1) / CELL_BYTES;
  }

  long unseen() {
    return unseen;
  }

  boolean isUnseen(int i) {
    return (unseen & (1L << i)) != 0;
  }

  boolean isNew(int i) {
    return (seen & (1L << i)) == 0;
  }

  void markSeen(int i) {
    unseen &= ~(1L << i);
    seen |= 1L << i;
  }

  /**
   * Adds to the cell of series {@code i}. Of equal times the figures that come later are the last.
   *
   * @return false, with nothing changed, when the sum would leave the range of a double or the
   *     count that of a long
   */
  boolean add(int i, PaneAggregate other) {
    if (!has(i)) {
      cells[i] = (byte) newCell();
      present |= 1L << i;
      set(i, other);
      return true;
    }
    int d = cells[i] * DOUBLES;
    int n = cells[i] * LONGS;
    double sum = PaneAggregate.added(doubles[d], other.sum);
    long count = longs[n] + other.count;
    // Either may be negative: a correction takes away.
    boolean overflows = ((longs[n] ^ count) & (other.count ^ count)) < 0;
    if (Double.isInfinite(sum) || overflows) {
      return false;
    }
    if (other.distribution != null) {
      addDistribution(cells[i], other.distribution);
    }
    doubles[d] = sum;
    longs[n] = count;
    doubles[d + 1] = PaneAggregate.least(doubles[d + 1], other.min);
    doubles[d + 2] = PaneAggregate.max(doubles[d + 2], other.max);
    boolean hasLast = !Double.isNaN(other.last);
    boolean isNewer = Double.isNaN(doubles[d + 3]) || other.lastTimeUnixNano >= longs[n + 1];
    if (hasLast && isNewer) {
      doubles[d + 3] = other.last;
      longs[n + 1] = other.lastTimeUnixNano;
    }
    unseen |= 1L << i;
    return true;
  }

  /** Replaces the figures of a series that has a cell. */
  void set(int i, PaneAggregate figures) {
    int d = cells[i] * DOUBLES;
    int n = cells[i] * LONGS;
    doubles[d] = figures.sum;
    doubles[d + 1] = figures.min;
    doubles[d + 2] = figures.max;
    doubles[d + 3] = figures.last;
    longs[n] = figures.count;
    longs[n + 1] = figures.lastTimeUnixNano;
    if (distributions != null && cells[i] < distributions.length) {
      distributions[cells[i]] = null;
    }
    if (figures.distribution != null) {
      addDistribution(cells[i], figures.distribution);
    }
    unseen |= 1L << i;
  }

  void read(int i, PaneAggregate into) {
    int d = cells[i] * DOUBLES;
    int n = cells[i] * LONGS;
    into.sum = doubles[d];
    into.min = doubles[d + 1];
    into.max = doubles[d + 2];
    into.last = doubles[d + 3];
    into.count = longs[n];
    into.lastTimeUnixNano = longs[n + 1];
    into.distribution = distribution(cells[i]);
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(largestEncoding());
    out.putLong(present);
    CellBytes form = new CellBytes();
    PaneAggregate cell = new PaneAggregate();
    for (long rest = present; rest != 0; rest &= rest - 1) {
      read(Long.numberOfTrailingZeros(rest), cell);
      form.put(out, cell);
    }
    if (distributions != null) {
      for (long rest = present; rest != 0; rest &= rest - 1) {
        Distribution distribution = distribution(cells[Long.numberOfTrailingZeros(rest)]);
        (distribution == null ? NO_DISTRIBUTION : distribution).encode(out);
      }
    }
    return out.hasRemaining() ? Arrays.copyOf(out.array(), out.position()) : out.array();
  }

  static PaneChunk decode(long key, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long present = in.getLong();
    PaneChunk chunk = new PaneChunk(key, Math.max(1, Long.bitCount(present)));
    CellBytes form = new CellBytes();
    PaneAggregate cell = new PaneAggregate();
    for (long rest = present; rest != 0; rest &= rest - 1) {
      form.get(in, cell);
      chunk.add(Long.numberOfTrailingZeros(rest), cell);
    }
    for (long rest = in.hasRemaining() ? present : 0; rest != 0; rest &= rest - 1) {
      Distribution distribution = Distribution.decode(in);
      if (!distribution.isEmpty()) {
        chunk.addDistribution(chunk.cells[Long.numberOfTrailingZeros(rest)], distribution);
      }
    }
    chunk.isStored = true;
    return chunk;
  }

  private @Nullable Distribution distribution(int cell) {
    return distributions == null || cell >= distributions.length ? null : distributions[cell];
  }

  private void addDistribution(int cell, Distribution added) {
    if (distributions == null) {
      distributions = new Distribution[longs.length / LONGS];
    } else if (cell >= distributions.length) {
      distributions = Arrays.copyOf(distributions, longs.length / LONGS);
    }
    Distribution known = distributions[cell];
    if (known == null) {
      distributions[cell] = added.copy();
    } else {
      known.add(added);
    }
  }

  private int largestEncoding() {
    int largest = Long.BYTES + Long.bitCount(present) * CellBytes.LARGEST;
    if (distributions != null) {
      largest += size * NO_DISTRIBUTION.encodedSize();
      for (Distribution distribution : distributions) {
        largest += distribution == null ? 0 : distribution.encodedSize();
      }
    }
    return largest;
  }

  private int newCell() {
    if (size * LONGS == longs.length) {
      int cells = Math.min(SIZE, size * 2);
      doubles = Arrays.copyOf(doubles, cells * DOUBLES);
      longs = Arrays.copyOf(longs, cells * LONGS);
    }
    return size++;
  }
}

package io.tidemark.flink.model.panes.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.cumulative.ReadingHistory;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The panes of a key group as chunks in a store: only what changed is written, what went is
 * removed. The form of chunks is part of the contract with stored state.
 */
public final class PaneStorage {

  private static final RollupLevel[] LEVELS = RollupLevel.values();

  /** Changed chunks that are left to the barrier; a series that is heard of often is in one. */
  private static final int FEW = 4;

  private final KeyGroupPanes panes;
  private long storedNextPane = Long.MIN_VALUE;
  private long storedRoutes;

  public PaneStorage(KeyGroupPanes panes) {
    this.panes = panes;
  }

  /**
   * Writes some of what {@link #save} would have to write, so that the barrier that calls it holds
   * records up for a short time only: chunks whose next change is not expected before it, and when
   * it is near all but a few. What changes afterwards is written again.
   *
   * @param most chunks to write at most
   * @param barrierAt when the barrier is expected
   * @return chunks written
   */
  public int saveAhead(ChunkStore store, int most, long barrierAt, boolean isNear) {
    removeGone(store);
    int rest = most - saveFullSeries(store, most);
    for (PaneChunk chunk = panes.changed.newest();
        chunk != null && rest > 0 && panes.changed.size() > FEW;
        chunk = panes.changed.newest()) {
      // Senders report in turns: after a pause as long as the last one it changes again.
      if (!isNear && chunk.changedAt + chunk.pause <= barrierAt) {
        break;
      }
      save(chunk, store);
      rest--;
    }
    if (isNear) {
      rest -= saveReadings(store, rest);
      rest -= saveReferences(store, rest);
    }
    return most - rest;
  }

  /** Full chunks of series do not change any more. */
  private int saveFullSeries(ChunkStore store, int most) {
    int rest = most;
    for (Iterator<Integer> dirty = panes.series.dirtyChunks.iterator();
        rest > 0 && dirty.hasNext(); ) {
      int chunk = dirty.next();
      if (panes.series.isFull(chunk)) {
        save(store, ChunkKey.of(ChunkKey.SERIES, 0, chunk), panes.series.encode(chunk));
        dirty.remove();
        rest--;
      }
    }
    return most - rest;
  }

  /** Writes what changed since the last call. After {@link KeyGroupPanes#barrierComes}. */
  public void save(ChunkStore store) {
    if (panes.hasUnstored()) {
      throw new IllegalStateException("A minute would be lost with the next restart");
    }
    removeGone(store);
    for (PaneChunk chunk = panes.changed.newest(); chunk != null; chunk = panes.changed.newest()) {
      save(chunk, store);
    }
    saveReadings(store, Integer.MAX_VALUE);
    saveReferences(store, Integer.MAX_VALUE);
    for (int chunk : panes.series.dirtyChunks) {
      save(store, ChunkKey.of(ChunkKey.SERIES, 0, chunk), panes.series.encode(chunk));
    }
    panes.series.dirtyChunks.clear();
    if (storedRoutes != panes.routes.version()) {
      save(store, ChunkKey.of(ChunkKey.ROUTES, 0, 0), panes.routes.encode());
      storedRoutes = panes.routes.version();
    }
    long key = ChunkKey.of(ChunkKey.NEXT_PANE, 0, 0);
    if (panes.isEmpty() && storedNextPane != Long.MIN_VALUE) {
      store.remove(key);
      storedNextPane = Long.MIN_VALUE;
    } else if (!panes.isEmpty() && storedNextPane != panes.nextPane) {
      store.put(key, ByteBuffer.allocate(Long.BYTES).putLong(panes.nextPane).array());
      storedNextPane = panes.nextPane;
    }
  }

  /** Reads everything back into panes that are new. */
  public void restore(Map<Long, byte[]> chunks, long now) {
    chunks.forEach(
        (key, chunk) -> {
          if (ChunkKey.kind(key) == ChunkKey.SERIES) {
            panes.series.restore(ChunkKey.chunk(key), chunk, now);
          } else if (ChunkKey.kind(key) == ChunkKey.ROUTES) {
            panes.routes.restore(chunk);
            storedRoutes = panes.routes.version();
          } else if (ChunkKey.kind(key) == ChunkKey.NEXT_PANE) {
            panes.nextPane = ByteBuffer.wrap(chunk).getLong();
            storedNextPane = panes.nextPane;
          }
        });
    panes.series.restored();
    panes.admission.restored();
    chunks.forEach(
        (key, chunk) -> {
          int kind = ChunkKey.kind(key);
          if (kind < LEVELS.length) {
            restorePane(LEVELS[kind], key, chunk, now);
          } else if (kind == ChunkKey.READINGS) {
            restoreReadings(key, chunk, now);
          } else if (kind == ChunkKey.REFERENCES) {
            restoreReferences(chunk);
          }
        });
  }

  private void save(PaneChunk chunk, ChunkStore store) {
    store.put(chunk.key, chunk.encode());
    chunk.isStored = true;
    panes.changed.forget(chunk);
  }

  private int saveReadings(ChunkStore store, int most) {
    int written = 0;
    for (Map.Entry<Long, OpenPane> minute :
        panes.open.get(RollupLevel.MINUTE.ordinal()).entrySet()) {
      OpenPane pane = minute.getValue();
      if (pane.goesBeforeBarrier()) {
        continue;
      }
      for (Map.Entry<Integer, Boolean> chunk : pane.readingChunks.entrySet()) {
        if (chunk.getValue() && written < most) {
          int number = chunk.getKey();
          store.put(ChunkKey.readings(minute.getKey(), number), readings(pane, number));
          chunk.setValue(false);
          written++;
        }
      }
    }
    return written;
  }

  private int saveReferences(ChunkStore store, int most) {
    int written = 0;
    for (Iterator<Integer> dirty = panes.readings.dirtyReferences.iterator();
        written < most && dirty.hasNext(); ) {
      int chunk = dirty.next();
      save(store, ChunkKey.of(ChunkKey.REFERENCES, 0, chunk), references(chunk));
      dirty.remove();
      written++;
    }
    return written;
  }

  /** Before anything is written: a window that went may be open again, under the same keys. */
  private void removeGone(ChunkStore store) {
    panes.removedChunks.forEach(store::remove);
    panes.removedChunks.clear();
  }

  private static void save(ChunkStore store, long key, byte @Nullable [] chunk) {
    if (chunk == null) {
      store.remove(key);
    } else {
      store.put(key, chunk);
    }
  }

  private void restorePane(RollupLevel level, long key, byte[] bytes, long now) {
    long window = ChunkKey.windowNumber(key) * level.lengthMs();
    PaneChunk chunk = PaneChunk.decode(key, bytes);
    panes.pane(level, window, now).restore(ChunkKey.chunk(key), chunk);
    for (long rest = chunk.present(); rest != 0; rest &= rest - 1) {
      int cell = Long.numberOfTrailingZeros(rest);
      panes.series.at(ChunkKey.chunk(key) * PaneChunk.SIZE + cell).uses++;
    }
  }

  private static byte[] readings(OpenPane pane, int chunk) {
    return written(
        out -> {
          int first = chunk * PaneChunk.SIZE;
          for (int series = first; series < first + PaneChunk.SIZE; series++) {
            NavigableMap<Long, PendingReading> waiting = pane.readings.get(series);
            if (waiting != null) {
              for (Map.Entry<Long, PendingReading> reading : waiting.entrySet()) {
                write(out, series, reading.getKey(), reading.getValue());
              }
            }
          }
        });
  }

  private static void write(DataOutputStream out, int series, long time, PendingReading pending)
      throws IOException {
    CumulativeReading reading = pending.reading();
    byte[] batchId = reading.batchId().getBytes(UTF_8);
    out.writeInt(series);
    out.writeLong(time);
    out.writeLong(reading.startUnixNano());
    out.writeDouble(reading.sum());
    out.writeLong(reading.count());
    out.writeInt(batchId.length);
    out.write(batchId);
    out.writeLong(reading.receivedAtUnixMs());
    out.writeInt(pending.position().partition());
    out.writeLong(pending.position().offset());
    out.writeInt(pending.position().index());
    out.writeLong(reading.layout());
    Distribution distribution = reading.distribution();
    if (distribution == null) {
      out.writeInt(0);
    } else {
      ByteBuffer buckets = ByteBuffer.allocate(distribution.encodedSize());
      distribution.encode(buckets);
      out.writeInt(buckets.position());
      out.write(buckets.array(), 0, buckets.position());
    }
  }

  private void restoreReadings(long key, byte[] bytes, long now) {
    long minute = ChunkKey.windowNumber(key) * RollupLevel.MINUTE.lengthMs();
    OpenPane pane = panes.pane(RollupLevel.MINUTE, minute, now);
    pane.readingChunks.put(ChunkKey.chunk(key), false);
    read(
        bytes,
        in -> {
          int series = in.readInt();
          long time = in.readLong();
          long start = in.readLong();
          double sum = in.readDouble();
          long count = in.readLong();
          String batchId = new String(in.readNBytes(in.readInt()), UTF_8);
          long receivedAt = in.readLong();
          SourcePosition position = new SourcePosition(in.readInt(), in.readLong(), in.readInt());
          long layout = in.readLong();
          byte[] buckets = in.readNBytes(in.readInt());
          CumulativeReading reading =
              new CumulativeReading(
                  start,
                  sum,
                  count,
                  buckets.length == 0 ? null : Distribution.decode(ByteBuffer.wrap(buckets)),
                  layout,
                  batchId,
                  receivedAt);
          pane.readingsOf(series).put(time, new PendingReading(reading, position));
          panes.series.at(series).uses++;
        });
  }

  private byte @Nullable [] references(int chunk) {
    byte[] bytes =
        written(
            out -> {
              for (SeriesState series : panes.series.ofChunk(chunk)) {
                if (series != null) {
                  write(out, series);
                }
              }
            });
    return bytes.length == 0 ? null : bytes;
  }

  private static void write(DataOutputStream out, SeriesState series) throws IOException {
    ReadingHistory used = series.used;
    if (used != null) {
      byte[] readings = used.encode();
      out.writeInt(series.index);
      out.writeLong(series.usedAt);
      out.writeInt(readings.length);
      out.write(readings);
    }
  }

  private void restoreReferences(byte[] bytes) {
    read(
        bytes,
        in -> {
          SeriesState series = panes.series.at(in.readInt());
          series.usedAt = in.readLong();
          series.used = ReadingHistory.decode(in.readNBytes(in.readInt()));
        });
  }

  private interface Write {
    void to(DataOutputStream out) throws IOException;
  }

  private interface ReadOne {
    void from(DataInputStream in) throws IOException;
  }

  private static byte[] written(Write write) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  private static void read(byte[] bytes, ReadOne one) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        one.from(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("A chunk in state is damaged", e);
    }
  }
}

package io.tidemark.flink.model.panes.combine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.MinuteGrid;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MinutePartialsTest {

  private static final int SLOTS = 300;
  private static final long NANOS_PER_MINUTE = 60_000_000_000L;

  private record Cell(int slot, long minute) {}

  /** As a receiver would add them up: sum, count, least, greatest, last, its time. */
  private record Added(double sum, long count, double min, double max, double last, long at) {
    Added and(Added other) {
      return new Added(
          sum + other.sum,
          count + other.count,
          Math.min(min, other.min),
          Math.max(max, other.max),
          other.at >= at ? other.last : last,
          Math.max(at, other.at));
    }
  }

  private final MinutePartials partials = new MinutePartials();
  private final Map<Cell, Added> sent = new HashMap<>();
  private final Map<Cell, Added> received = new HashMap<>();

  /** Minutes in disorder, some far behind, while those before one minute after the other go. */
  @Test
  void everyValueLeavesOnceAndOneMinuteAtATime() {
    Random random = new Random(20_261_122);
    for (int slot = 0; slot < SLOTS; slot++) {
      partials.makeRoomFor(slot);
    }
    long time = 0;
    for (int round = 0; round < 400; round++) {
      TreeMap<Long, Map<Integer, Boolean>> cells = new TreeMap<>();
      for (int i = 0; i < partials.size(); i++) {
        cells.computeIfAbsent(partials.minute(i), m -> new HashMap<>()).put(partials.slot(i), true);
      }
      for (int i = 0; i < 3_000; i++) {
        int minute =
            (int) Math.max(0, time / 3 - random.nextInt(random.nextInt(10) == 0 ? 120 : 6));
        int slot = random.nextInt(SLOTS);
        long at = minute * NANOS_PER_MINUTE + 1 + ++time / 3_000;
        double value = random.nextInt(1_000);
        partials.addValue(slot, at, value);
        sent.merge(
            new Cell(slot, minute * MinuteGrid.MINUTE_MS),
            new Added(value, 1, value, value, value, at),
            Added::and);
        cells.computeIfAbsent(minute * MinuteGrid.MINUTE_MS, m -> new HashMap<>()).put(slot, true);
      }
      time = round * 3L;
      assertEquals(
          cells.values().stream().mapToInt(Map::size).sum(),
          partials.size(),
          "points of a minute find each other");
      long before = round % 7 == 0 ? Long.MAX_VALUE : (round - 3) * MinuteGrid.MINUTE_MS;
      assertEquals(
          cells.tailMap(before).values().stream().mapToInt(Map::size).sum(),
          partials.countFrom(before));
      flushBefore(before);
      assertEquals(
          cells.tailMap(before).values().stream().mapToInt(Map::size).sum(), partials.size());
    }
    flushBefore(Long.MAX_VALUE);

    assertEquals(sent, received);
  }

  /** Distributions that stay move with their cells, and those used again are empty. */
  @Test
  void distributionsStayWithTheirMinutes() {
    partials.makeRoomFor(0);
    partials.addObservations(0, 0, 1, 1, 1, 1, distribution(1));
    partials.addObservations(0, NANOS_PER_MINUTE, 2, 1, 2, 2, distribution(2));
    assertEquals(2, partials.buckets());

    partials.removeBefore(MinuteGrid.MINUTE_MS);
    assertEquals(1, partials.buckets());
    partials.addObservations(0, 2 * NANOS_PER_MINUTE, 4, 1, 4, 4, distribution(4));

    assertEquals(distribution(2), distributionOf(0));
    assertEquals(distribution(4), distributionOf(1));
  }

  private void flushBefore(long minute) {
    for (int i = 0; i < partials.size(); i++) {
      if (partials.minute(i) < minute) {
        ByteBuffer in = written(i);
        boolean isValue = in.get() == Bundle.VALUE;
        int slot = (int) in.getLong();
        in.getLong();
        Added added;
        if (isValue) {
          long at = in.getLong();
          double value = in.getDouble();
          added = new Added(value, 1, value, value, value, at);
        } else {
          assertEquals(partials.minute(i), in.getLong());
          double sum = in.getDouble();
          long count = in.getLong();
          added =
              new Added(sum, count, in.getDouble(), in.getDouble(), in.getDouble(), in.getLong());
        }
        received.merge(new Cell(slot, MinuteGrid.minuteOf(added.at)), added, Added::and);
      }
    }
    partials.removeBefore(minute);
  }

  private ByteBuffer written(int i) {
    Bundle bundle = new Bundle(0);
    partials.write(i, bundle, partials.slot(i), 0);
    byte[] bytes = bundle.take();
    return ByteBuffer.wrap(bytes, Integer.BYTES, bytes.length - Integer.BYTES);
  }

  private Distribution distributionOf(int i) {
    ByteBuffer in = written(i);
    in.position(in.position() + 1 + 9 * Long.BYTES);
    return Distribution.decode(in);
  }

  private static Distribution distribution(int bucket) {
    Distribution one = new Distribution();
    one.append(bucket, 1);
    return one;
  }
}

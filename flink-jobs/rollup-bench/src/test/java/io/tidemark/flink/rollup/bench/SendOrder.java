package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.testing.Fleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.LongStream;

/** In which order the batches of a fleet come. The same in every run. */
enum SendOrder {
  IN_ORDER {
    @Override
    Iterable<Long> of(Fleet fleet, long batches) {
      return () -> LongStream.range(0, batches).iterator();
    }
  },
  /** One batch in twenty comes up to two hours after its time, each by another time. */
  SCATTERED {
    @Override
    List<Long> of(Fleet fleet, long batches) {
      record Held(long due, long batch) {}
      PriorityQueue<Held> held = new PriorityQueue<>(Comparator.comparingLong(Held::due));
      List<Long> order = new ArrayList<>();
      for (long batch = 0; batch < batches; batch++) {
        while (!held.isEmpty() && held.peek().due() <= batch) {
          order.add(held.poll().batch());
        }
        long mixed = mixed(batch + 1);
        if (mixed % LATE_SHARE == 0) {
          long latest = latestSteps(fleet) * fleet.batchesPerStep();
          held.add(new Held(batch + 1 + mixed / LATE_SHARE % latest, batch));
        } else {
          order.add(batch);
        }
      }
      while (!held.isEmpty()) {
        order.add(held.poll().batch());
      }
      return order;
    }
  },
  /**
   * One sender is away at any time, one after the other, for up to two hours; then it sends what it
   * kept. With twenty senders one batch in twenty is late.
   */
  KEPT {
    @Override
    List<Long> of(Fleet fleet, long batches) {
      List<Long> order = new ArrayList<>();
      List<Long> kept = new ArrayList<>();
      int senders = fleet.batchesPerStep();
      long absences = 0;
      long returns = 0;
      for (long batch = 0; batch < batches; batch++) {
        long step = batch / senders;
        if (step == returns && batch % senders == 0) {
          order.addAll(kept);
          kept.clear();
          absences++;
          returns = step + 1 + mixed(absences) % latestSteps(fleet);
        }
        (batch % senders == absences % senders ? kept : order).add(batch);
      }
      order.addAll(kept);
      return order;
    }
  };

  private static final long LATEST_MS = 2 * 3_600_000L;

  /** One batch in this many is late. */
  private static final int LATE_SHARE = 20;

  /** All batches of the fleet, by number. */
  abstract Iterable<Long> of(Fleet fleet, long batches);

  private static long latestSteps(Fleet fleet) {
    return LATEST_MS / fleet.stepMs();
  }

  private static long mixed(long number) {
    return number * 0x9E37_79B9_7F4A_7C15L >>> 20;
  }
}

package io.tidemark.flink.rollup.orders;

import io.tidemark.flink.rollup.orders.Arrivals.Batch;
import io.tidemark.flink.rollup.orders.SentPoint.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A few tenants' senders over two hours around midnight: clocks that are wrong and jump, processes
 * that start anew, outages after which everything comes at once, points weeks late, batches sent
 * twice. Everything follows from the seed.
 */
final class World {

  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long SECOND = 1_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long BEGIN = Instant.parse("2026-03-01T22:50:00Z").toEpochMilli();
  private static final long LENGTH = 2 * HOUR;

  /** By how many steps of its series a running total may be late. */
  private static final int LATE_TOTALS = 8;

  private final Random random;
  private final List<Batch> batches = new ArrayList<>();
  private int nextBatch;

  World(long seed) {
    random = new Random(seed);
    int senders = 4 + random.nextInt(4);
    for (int i = 0; i < senders; i++) {
      new Sender(i).run();
    }
  }

  List<Batch> batches() {
    return batches;
  }

  int partitions() {
    return 1 + random.nextInt(3);
  }

  /** One process after the other, under one name. */
  private final class Sender {
    private final String organization = "org-" + random.nextInt(3);
    private final String resource;
    private final List<Series> series = new ArrayList<>();
    private final long stepMs = (10 + random.nextInt(50)) * SECOND;
    private final boolean isPunctual = random.nextInt(3) == 0;
    private long clockErrorMs;
    private List<SentPoint> held = new ArrayList<>();

    Sender(int number) {
      resource = "sender-" + number;
      Kind[] kinds = Kind.values();
      int count = 3 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        // Only the last running totals are remembered: their senders deliver soon.
        Kind kind = isPunctual && i % 2 == 0 ? Kind.TOTAL : kinds[random.nextInt(kinds.length)];
        if (kind != Kind.TOTAL || isPunctual) {
          series.add(new Series(kind, i));
        }
      }
    }

    void run() {
      setClock();
      for (long now = BEGIN + random.nextInt(60_000); now < BEGIN + LENGTH; now += stepMs) {
        if (random.nextInt(100) == 0) {
          series.forEach(Series::restart);
        }
        if (!isPunctual && random.nextInt(60) == 0) {
          setClock();
        }
        deliver(now);
      }
    }

    private void setClock() {
      clockErrorMs =
          switch (random.nextInt(6)) {
            case 0 -> random.nextInt(9 * 60_000);
            case 1 -> isPunctual ? 0 : -random.nextInt(40 * 60_000);
            case 2 -> isPunctual ? 0 : 8 * MINUTE + random.nextInt(6 * 60_000);
            default -> 0;
          };
    }

    private long clock(long now) {
      return now + clockErrorMs;
    }

    private void deliver(long now) {
      List<SentPoint> points = held;
      held = new ArrayList<>();
      for (Series one : series) {
        SentPoint point = one.measure(clock(now));
        if (point == null) {
          continue;
        }
        // A running total that comes a step late finds its place among the last of its series.
        boolean mayBeHeld = !isPunctual || point.kind() == Kind.TOTAL;
        if (mayBeHeld && random.nextInt(12) == 0) {
          held.add(point);
        } else {
          points.add(point);
        }
      }
      if (points.isEmpty()) {
        return;
      }
      Collections.shuffle(points, random);
      String id = "%064x".formatted(nextBatch++);
      long receivedMs = now + delay();
      batches.add(new Batch(organization, resource, id, receivedMs, points));
      resend(id, receivedMs, points);
    }

    /** On the way from sender to gateway. */
    private long delay() {
      int dice = random.nextInt(20);
      if (dice < 13) {
        return random.nextInt(2_000);
      }
      if (isPunctual) {
        // A late running total finds its place among the last sixteen of its series.
        return random.nextInt((int) (LATE_TOTALS * stepMs));
      }
      if (dice < 17) {
        return random.nextInt((int) (30 * MINUTE));
      }
      return dice < 19 ? random.nextInt((int) (6 * HOUR)) : (long) (random.nextDouble() * 33 * DAY);
    }

    private void resend(String id, long receivedMs, List<SentPoint> points) {
      int dice = random.nextInt(20);
      int times = dice == 0 ? 3 : dice < 4 ? 1 : 0;
      for (int i = 0; i < times; i++) {
        // Rarely after the hour in which the same bytes are the same batch.
        long later = random.nextInt((int) (isPunctual ? 2_000 : 70 * MINUTE));
        batches.add(new Batch(organization, resource, id, receivedMs + later, points));
      }
    }
  }

  /** One series of one sender. */
  private final class Series {
    private final Kind kind;
    private final String metric;
    private final String zone;
    private final double scale = Math.pow(10, random.nextInt(12) - 3);
    private final boolean isWhole = random.nextBoolean();
    private final boolean tellsStart = random.nextInt(4) > 0;
    private final Set<Long> times = new HashSet<>();
    private long startMs;
    private double total;
    private long lastMs;

    Series(Kind kind, int number) {
      this.kind = kind;
      this.metric = kind.name().toLowerCase(Locale.ROOT) + "." + number;
      this.zone = "z" + random.nextInt(3);
      this.startMs = BEGIN - random.nextInt((int) (20 * MINUTE));
      this.total = isWhole ? random.nextInt(1_000) : random.nextDouble() * scale;
    }

    void restart() {
      startMs = Math.max(startMs, lastMs + 1);
      total = 0;
    }

    /** Null when the clock says a time that the series had before. */
    @Nullable SentPoint measure(long clockMs) {
      long timeMs = clockMs + random.nextInt(900);
      if (!times.add(timeMs)) {
        return null;
      }
      lastMs = Math.max(lastMs, timeMs);
      long timeNanos = timeMs * NANOS_PER_MILLI + random.nextInt((int) NANOS_PER_MILLI);
      long startNanos = kind == Kind.TOTAL && !tellsStart ? 0 : startMs * NANOS_PER_MILLI;
      boolean isRecorded = random.nextInt(50) > 0;
      List<Double> observations = observations();
      double value =
          kind == Kind.DELTA_HISTOGRAM
              ? observations.stream().mapToDouble(Double::doubleValue).sum()
              : number();
      return new SentPoint(
          kind, metric, zone, startNanos, timeNanos, isRecorded, value, observations);
    }

    private double number() {
      return switch (kind) {
        case GAUGE ->
            switch (random.nextInt(40)) {
              case 0 -> Double.NaN;
              case 1 -> Double.POSITIVE_INFINITY;
              case 2 -> -0.0;
              default -> signed();
            };
        case LEVEL -> signed();
        case DELTA_COUNTER -> drawn();
        case TOTAL -> total += random.nextInt(5) == 0 ? 0 : drawn();
        case DELTA_HISTOGRAM -> throw new IllegalStateException("has observations");
      };
    }

    private List<Double> observations() {
      if (kind != Kind.DELTA_HISTOGRAM) {
        return List.of();
      }
      List<Double> observations = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        observations.add(drawn());
      }
      return observations;
    }

    private double signed() {
      return random.nextBoolean() ? drawn() : -drawn();
    }

    private double drawn() {
      return isWhole ? random.nextInt(1_000_000) : random.nextDouble() * scale;
    }
  }
}

package io.tidemark.flink.rollup.orders;

import io.tidemark.flink.rollup.orders.Arrivals.Batch;
import io.tidemark.flink.rollup.orders.SentPoint.Kind;
import io.tidemark.flink.rollup.orders.SentPoint.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A few tenants' senders over two hours around midnight: clocks that are wrong and jump, processes
 * that start anew, outages after which everything comes at once, points weeks late, batches sent
 * twice. One tenant has far more series than its budget. Everything follows from the seed.
 */
final class World {

  private static final long SECOND = 1_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long BEGIN = Instant.parse("2026-03-01T22:50:00Z").toEpochMilli();
  private static final long LENGTH = 2 * HOUR;

  /** Half of the points are before it, by their senders' clocks. */
  static final long MIDDLE = BEGIN + LENGTH / 2;

  /** By how many steps of its series a running total may be late. */
  private static final int LATE_TOTALS = 8;

  /** The tenant that has more series than it may. */
  static final String CROWDED = "org-crowded";

  /** How many series it may have. */
  static final int BUDGET = 6;

  private static final int TENANTS = 3;

  /** Metrics of many clients; their names end so. */
  private static final String WIDE = ".wide";

  private static final int CLIENTS = 5;
  private static final List<Kind> RUNNING =
      List.of(Kind.TOTAL, Kind.TOTAL_HISTOGRAM, Kind.TOTAL_EXPONENTIAL, Kind.SUMMARY);

  private final Random random;
  private final List<Batch> batches = new ArrayList<>();
  private int nextBatch;

  World(long seed) {
    random = new Random(seed);
    int senders = 4 + random.nextInt(4);
    for (int i = 0; i < senders; i++) {
      Sender sender = new Sender("org-" + random.nextInt(TENANTS), i, random.nextInt(3) == 0);
      sender.measures(3 + random.nextInt(6));
      sender.run();
    }
    // Only so many running totals of series beyond a budget are kept: one sender has them.
    Sender punctual = new Sender(CROWDED, senders, true);
    RUNNING.forEach(kind -> punctual.add(kind, name(kind) + ".0", ""));
    punctual.run();
    Sender other = new Sender(CROWDED, senders + 1, false);
    other.measures(3 * BUDGET);
    other.run();
  }

  static List<String> organizations() {
    List<String> all = new ArrayList<>(List.of(CROWDED));
    for (int i = 0; i < TENANTS; i++) {
      all.add("org-" + i);
    }
    return all;
  }

  /** Metrics that are declared to be of many clients, for every organisation. */
  static List<String> wideMetrics() {
    return Arrays.stream(Kind.values()).map(kind -> name(kind) + WIDE).toList();
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  List<Batch> batches() {
    return batches;
  }

  int partitions() {
    return 1 + random.nextInt(3);
  }

  /** One process after the other, under one name. */
  private final class Sender {
    private final String organization;
    private final String resource;
    private final List<Series> series = new ArrayList<>();
    private final long stepMs = (10 + random.nextInt(50)) * SECOND;
    private final boolean isPunctual;
    private long clockErrorMs;
    private List<SentPoint> held = new ArrayList<>();

    Sender(String organization, int number, boolean isPunctual) {
      this.organization = organization;
      this.resource = "sender-" + number;
      this.isPunctual = isPunctual;
    }

    /** So many metrics of any kinds; every third of clients. */
    void measures(int metrics) {
      Kind[] kinds = Kind.values();
      for (int i = 0; i < metrics; i++) {
        // Only the last running totals are remembered: their senders deliver soon.
        Kind kind =
            isPunctual && i % 2 == 0
                ? RUNNING.get(random.nextInt(RUNNING.size()))
                : kinds[random.nextInt(kinds.length)];
        if (kind.isRunning() && !isPunctual) {
          continue;
        }
        if (random.nextInt(3) > 0) {
          add(kind, name(kind) + "." + i, "");
        } else {
          for (int client = 0; client < CLIENTS; client++) {
            // The last one does not say who it is.
            add(kind, name(kind) + WIDE, client == CLIENTS - 1 ? "" : i + "-" + client);
          }
        }
      }
    }

    void add(Kind kind, String metric, String client) {
      String zone = "z" + random.nextInt(3);
      Labels labels = new Labels(zone, client);
      boolean isTaken = series.stream().anyMatch(one -> one.isOf(metric, labels));
      if (!isTaken) {
        series.add(new Series(random, kind, metric, labels, BEGIN));
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
        boolean mayBeHeld = !isPunctual || point.kind().isRunning();
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
}

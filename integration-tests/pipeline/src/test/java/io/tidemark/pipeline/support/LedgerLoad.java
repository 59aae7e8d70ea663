package io.tidemark.pipeline.support;

import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender.Point;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends small batches one after the other and writes down what was acknowledged. A batch whose
 * answer is unknown or "try again" is sent again, the same bytes, until it is acknowledged: at the
 * end every batch counts exactly once. Bounded in time and to about two thousand points a second.
 */
public final class LedgerLoad implements AutoCloseable {
  private static final int POINTS = 50;
  private static final long PAUSE_NANOS = 25_000_000;
  private static final long MINUTE_MS = 60_000;

  /** A late point is less late than this. */
  private static final long LATEST_MS = 7 * MINUTE_MS;

  private final OtlpSender sender;
  private final String metric;
  private final Habits habits;
  private final TreeMap<Bucket, RowFigures> figures = new TreeMap<>();

  /** Times of batches, by their milliseconds of a minute. */
  private final Map<Long, Long> used = new HashMap<>();

  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong resent = new AtomicLong();
  private final Thread thread = new Thread(this::run, "ledger-load");
  private volatile boolean finishing;
  private volatile Throwable failure;

  /**
   * How the sender behaves.
   *
   * @param longest the load fails when it was not asked to finish by then
   * @param resendEvery every so many acknowledged batches are sent once more, as senders do that
   *     missed an answer; 0 for never
   * @param older every tenth point is this much older; zero for none
   * @param clients how many clients each worker has, named as a label too; 0 for none
   */
  public record Habits(Duration longest, int resendEvery, Duration older, int clients) {
    public static final Habits PLAIN = new Habits(Duration.ofMinutes(10), 0, Duration.ZERO, 0);

    /** The same, of all points young, with a label of many values. */
    public Habits withClients(int each) {
      return new Habits(longest, resendEvery, Duration.ZERO, each);
    }
  }

  public LedgerLoad(OtlpSender sender, String metric, Habits habits) {
    this.sender = sender;
    this.metric = metric;
    this.habits = habits;
    thread.start();
  }

  /** Points acknowledged so far. */
  public long acknowledged() {
    if (failure != null) {
      throw new IllegalStateException("the load ended", failure);
    }
    return acknowledged.get();
  }

  /** Batches that were sent again, on purpose or because their answer was lost. */
  public long resent() {
    return resent.get();
  }

  /** Stops after the batch under way has been acknowledged. */
  public void finish() throws InterruptedException {
    finishing = true;
    thread.join();
    acknowledged();
  }

  /**
   * By minute and worker (client, if there are some), of everything acknowledged. Only after {@link
   * #finish}.
   */
  public TreeMap<Bucket, RowFigures> figures() {
    return figures;
  }

  /** Sum by minute and worker of everything acknowledged. Only after {@link #finish}. */
  public TreeMap<Bucket, Double> sums() {
    TreeMap<Bucket, Double> sums = new TreeMap<>();
    figures.forEach((bucket, row) -> sums.put(bucket, row.sum()));
    return sums;
  }

  @Override
  public void close() throws InterruptedException {
    finishing = true;
    thread.interrupt();
    thread.join();
  }

  private void run() {
    long end = System.nanoTime() + habits.longest().toNanos();
    long value = 1;
    try {
      for (long batch = 1; !finishing; batch++) {
        Instant now = unlikeOthers(Instant.now());
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < POINTS; i++) {
          // A third of the points is minutes late.
          Instant time = i % 3 == 0 ? now.minusSeconds(60L * (i % 7)) : now;
          if (i % 10 == 0) {
            time = time.minus(habits.older());
          }
          points.add(new Point(metric, attributes("w" + i % 10, value), time, value++));
        }
        byte[] body = OtlpSender.batch("ledger", points).toByteArray();
        sendUntilAcknowledged(body, end);
        write(points);
        if (habits.resendEvery() > 0 && batch % habits.resendEvery() == 0) {
          resent.incrementAndGet();
          sendUntilAcknowledged(body, end);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        if (System.nanoTime() > end) {
          throw new IllegalStateException("nobody ended the load within " + habits.longest());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failure = e;
    }
  }

  /**
   * The time, or soon after: late points of one batch never have the time of another batch's, of
   * which the last value would be the one that came later.
   */
  private Instant unlikeOthers(Instant now) {
    long time = now.toEpochMilli();
    while (time - used.getOrDefault(time % MINUTE_MS, Long.MIN_VALUE / 2) < LATEST_MS) {
      time++;
    }
    used.put(time % MINUTE_MS, time);
    return Instant.ofEpochMilli(time);
  }

  /** A client's name begins with its worker's. */
  private Map<String, String> attributes(String worker, long value) {
    return habits.clients() == 0
        ? Map.of("worker", worker)
        : Map.of("worker", worker, "client", worker + "-" + value % habits.clients());
  }

  private void write(List<Point> points) {
    String label = habits.clients() == 0 ? "worker" : "client";
    for (Point point : points) {
      Bucket bucket =
          new Bucket(point.time().truncatedTo(ChronoUnit.MINUTES), point.attributes().get(label));
      figures.merge(bucket, RowFigures.of(point.value()), RowFigures::plus);
    }
    acknowledged.addAndGet(points.size());
  }

  private void sendUntilAcknowledged(byte[] body, long end) throws InterruptedException {
    while (true) {
      try {
        int status = sender.send(body).statusCode();
        if (status == 200) {
          return;
        }
        if (status != 429 && status / 100 != 5) {
          throw new IllegalStateException("the gateway answered " + status);
        }
      } catch (IOException e) {
        // The gateway is down or dropped the connection: unknown, so the same bytes go again.
      }
      resent.incrementAndGet();
      if (System.nanoTime() > end) {
        throw new IllegalStateException("not acknowledged in time");
      }
      LockSupport.parkNanos(10 * PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}

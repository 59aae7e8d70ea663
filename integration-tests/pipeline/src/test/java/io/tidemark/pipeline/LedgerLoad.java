package io.tidemark.pipeline;

import io.tidemark.pipeline.MetricsQuery.Bucket;
import io.tidemark.pipeline.OtlpSender.Point;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends small batches one after the other and writes down what was acknowledged. A batch whose
 * answer is unknown or "try again" is sent again, the same bytes, until it is acknowledged: at the
 * end every batch counts exactly once. Bounded to ten minutes and about two thousand points a
 * second.
 */
final class LedgerLoad implements AutoCloseable {
  private static final int POINTS = 50;
  private static final long PAUSE_NANOS = 25_000_000;
  private static final long LONGEST_NANOS = 600_000_000_000L;

  private final OtlpSender sender;
  private final String metric;
  private final TreeMap<Bucket, Double> sums = new TreeMap<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private final Thread thread = new Thread(this::run, "ledger-load");
  private volatile boolean finishing;
  private volatile Throwable failure;

  LedgerLoad(OtlpSender sender, String metric) {
    this.sender = sender;
    this.metric = metric;
    thread.start();
  }

  /** Points acknowledged so far. */
  long acknowledged() {
    if (failure != null) {
      throw new IllegalStateException("the load ended", failure);
    }
    return acknowledged.get();
  }

  /** Stops after the batch under way has been acknowledged. */
  void finish() throws InterruptedException {
    finishing = true;
    thread.join();
    acknowledged();
  }

  /** Sum by minute and worker of everything acknowledged. Only after {@link #finish}. */
  TreeMap<Bucket, Double> sums() {
    return sums;
  }

  @Override
  public void close() throws InterruptedException {
    finishing = true;
    thread.interrupt();
    thread.join();
  }

  private void run() {
    long end = System.nanoTime() + LONGEST_NANOS;
    long value = 1;
    try {
      while (!finishing && System.nanoTime() < end) {
        Instant now = Instant.now();
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < POINTS; i++) {
          // A third of the points is minutes late.
          Instant time = i % 3 == 0 ? now.minusSeconds(60L * (i % 7)) : now;
          points.add(new Point(metric, Map.of("worker", "w" + i % 10), time, value++));
        }
        sendUntilAcknowledged(OtlpSender.batch("ledger", points).toByteArray(), end);
        for (Point point : points) {
          Bucket bucket =
              new Bucket(
                  point.time().truncatedTo(ChronoUnit.MINUTES), point.attributes().get("worker"));
          sums.merge(bucket, (double) point.value(), Double::sum);
        }
        acknowledged.addAndGet(points.size());
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failure = e;
    }
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

package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.PointFleet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Sends a fleet's points at a rate, whatever the answers do: each body is due at a moment, and its
 * latency counts from then, so that a server that stalls does not slow its own measurement. A body
 * that is refused for now is sent again, and is as late as it got in.
 */
final class PacedSender implements AutoCloseable {
  private static final int CONNECTIONS = 16;

  /** Bodies that wait at once; beyond that the rate is not held. */
  private static final int MAX_WAITING = 400;

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int OK = 200;
  private static final int TRY_AGAIN = 429;

  private final OtlpSender sender;
  private final int pointsOfBody;
  private final ExecutorService connections = Executors.newFixedThreadPool(CONNECTIONS);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * @param pointsOfBody in each body of the fleet
   */
  PacedSender(OtlpSender sender, int pointsOfBody) {
    this.sender = sender;
    this.pointsOfBody = pointsOfBody;
  }

  /**
   * What came of one rate.
   *
   * @param perSecond points acknowledged, from the first body until the last was
   * @param refused answers that wanted a body again
   * @param latency of each body, from the moment at which it was due
   */
  public record Outcome(double perSecond, long refused, Samples latency) {}

  /** Whole steps of the fleet for at least a time; returns when all are acknowledged. */
  public Outcome send(PointFleet fleet, int pointsPerSecond, Duration time) throws Exception {
    int steps = (int) Math.ceil((double) pointsPerSecond * time.toMillis() / 1e3 / fleet.series());
    return send(fleet, pointsPerSecond, steps, step -> Instant.now());
  }

  /**
   * Some steps of the fleet; returns when all are acknowledged.
   *
   * @param times of the points of a step
   */
  public Outcome send(PointFleet fleet, int pointsPerSecond, int steps, IntFunction<Instant> times)
      throws Exception {
    Samples latency = new Samples();
    AtomicLong refused = new AtomicLong();
    Semaphore room = new Semaphore(MAX_WAITING);
    long interval = Math.round(1e9 * pointsOfBody / pointsPerSecond);
    long begin = System.nanoTime();
    AtomicLong bodies = new AtomicLong();
    for (int step = 0; step < steps; step++) {
      fleet.step(
          step,
          times.apply(step),
          body -> {
            long due = begin + bodies.getAndIncrement() * interval;
            LockSupport.parkNanos(due - System.nanoTime());
            check();
            room.acquire();
            connections.execute(
                () -> {
                  try {
                    untilTaken(body, refused);
                    latency.add((System.nanoTime() - due) / 1e6);
                  } catch (Exception | AssertionError failed) {
                    failure.compareAndSet(null, failed);
                  } finally {
                    room.release();
                  }
                });
          });
    }
    if (!room.tryAcquire(MAX_WAITING, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException("Bodies were not acknowledged");
    }
    check();
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Outcome(bodies.get() * pointsOfBody / seconds, refused.get(), latency);
  }

  private void untilTaken(byte[] body, AtomicLong refused) throws InterruptedException {
    Await.until(
        "acknowledgement",
        PATIENCE,
        () -> {
          var answer = sender.send(body);
          int status = answer.statusCode();
          if (status != OK) {
            refused.incrementAndGet();
          }
          if (status / 100 == 4 && status != TRY_AGAIN) {
            failure.compareAndSet(null, new IOException(status + " " + new String(answer.body())));
            return OK;
          }
          return status;
        },
        status -> status == OK);
  }

  private void check() throws IOException {
    if (failure.get() != null) {
      throw new IOException("Points could not be sent", failure.get());
    }
  }

  @Override
  public void close() {
    connections.shutdownNow();
  }
}

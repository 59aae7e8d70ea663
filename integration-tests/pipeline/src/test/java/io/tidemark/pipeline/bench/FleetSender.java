package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.PointFleet;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Sends a fleet's bodies over a few connections; what is refused for now is sent again. */
final class FleetSender implements AutoCloseable {
  private static final int CONNECTIONS = 4;
  private static final int MAX_WAITING = 12;
  private static final int OK = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final OtlpSender sender;
  private final ExecutorService connections = Executors.newFixedThreadPool(CONNECTIONS);
  private final Semaphore room = new Semaphore(MAX_WAITING);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  FleetSender(OtlpSender sender) {
    this.sender = sender;
  }

  /**
   * All points of some steps, and waits until they are acknowledged.
   *
   * @param begin time of the first step
   */
  public void send(PointFleet fleet, int firstStep, int steps, Instant begin) throws Exception {
    for (int step = 0; step < steps; step++) {
      Instant time = begin.plusSeconds((long) step * PointFleet.STEP_SECONDS);
      fleet.step(firstStep + step, time, this::accept);
    }
    finish(fleet);
  }

  /**
   * The same at a pace: each step is sent when the clock says its time.
   *
   * @param begin time of the first step, not long ago
   * @param apart from one step to the next
   * @return how far behind its time the last step began
   */
  Duration sendLive(PointFleet fleet, int steps, Instant begin, Duration apart) throws Exception {
    Duration behind = Duration.ZERO;
    for (int step = 0; step < steps; step++) {
      Instant time = begin.plus(apart.multipliedBy(step));
      behind = Duration.between(time, Instant.now());
      if (behind.isNegative()) {
        Thread.sleep(behind.negated().toMillis());
        behind = Duration.ZERO;
      }
      fleet.step(step, time, this::accept);
    }
    finish(fleet);
    return behind;
  }

  private void finish(PointFleet fleet) throws Exception {
    fleet.finish(this::accept);
    if (!room.tryAcquire(MAX_WAITING, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException("Bodies were not acknowledged");
    }
    room.release(MAX_WAITING);
    check();
  }

  private void accept(byte[] body) throws IOException, InterruptedException {
    check();
    room.acquire();
    connections.execute(
        () -> {
          try {
            untilTaken(body);
          } catch (Exception | AssertionError failed) {
            failure.compareAndSet(null, failed);
          } finally {
            room.release();
          }
        });
  }

  private void untilTaken(byte[] body) throws Exception {
    Await.until(
        "acknowledgement",
        PATIENCE,
        () -> sender.send(body),
        answer -> {
          if (answer.statusCode() / 100 == 4 && answer.statusCode() != 429) {
            failure.compareAndSet(null, new IOException(refusal(answer)));
            return true;
          }
          return answer.statusCode() == OK;
        });
  }

  private static String refusal(HttpResponse<byte[]> answer) {
    return answer.statusCode() + " " + new String(answer.body());
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

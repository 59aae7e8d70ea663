package io.tidemark.platform.testing;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** One tenant that sends small batches one after the other and notes how long each took. */
public final class QuietSender {

  private final URI address;
  private final String authorization;
  private final Instant time;
  private int sent;

  public QuietSender(URI address, String authorization, Instant time) {
    this.address = address;
    this.authorization = authorization;
    this.time = time;
  }

  /**
   * What a while of sending came to.
   *
   * @param refused answers other than 200
   */
  public record Outcome(int sent, int refused, Duration p99) {}

  /** Sends for so long. */
  public Outcome send(Duration duration) {
    long[] nanos = new long[100_000];
    int count = 0;
    int refused = 0;
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() < end && count < nanos.length) {
      byte[] batch = request(counter("quiet", point(time, sent++))).toByteArray();
      long before = System.nanoTime();
      int status =
          Http.post(
                  address,
                  batch,
                  "Content-Type",
                  "application/x-protobuf",
                  "Authorization",
                  authorization)
              .statusCode();
      nanos[count++] = System.nanoTime() - before;
      refused += status == 200 ? 0 : 1;
    }
    Arrays.sort(nanos, 0, count);
    return new Outcome(count, refused, Duration.ofNanos(nanos[(int) (count * 0.99)]));
  }

  /** Batches sent so far. */
  public int sent() {
    return sent;
  }
}

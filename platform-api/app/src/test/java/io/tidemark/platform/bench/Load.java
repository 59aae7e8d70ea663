package io.tidemark.platform.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Some senders of one protocol, each with a connection and series of its own. */
final class Load implements AutoCloseable {

  private final Door door;
  private final List<Body> bodies;
  private final ExecutorService threads;

  Load(Door door, List<Body> bodies) {
    this.door = door;
    this.bodies = bodies;
    this.threads = Executors.newFixedThreadPool(bodies.size());
  }

  /**
   * What some seconds of sending came to.
   *
   * @param nanos latency of each taken request, from when it was due
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Result(long points, long taken, long refused, double seconds, long[] nanos) {

    /** Several runs as if they were one. */
    static Result of(List<Result> parts) {
      return new Result(
          parts.stream().mapToLong(Result::points).sum(),
          parts.stream().mapToLong(Result::taken).sum(),
          parts.stream().mapToLong(Result::refused).sum(),
          parts.stream().mapToDouble(Result::seconds).sum(),
          parts.stream().map(Result::nanos).flatMapToLong(Arrays::stream).sorted().toArray());
    }

    double requestsPerSecond() {
      return (taken + refused) / seconds;
    }

    double percentileMillis(double share) {
      if (nanos.length == 0) {
        return Double.NaN;
      }
      return nanos[(int) Math.min(nanos.length - 1, Math.ceil(share * nanos.length) - 1)] / 1e6;
    }
  }

  /** As fast as answers come. */
  Result flood(double seconds) {
    return run(seconds, 0);
  }

  /** So many requests a second, whether answers come or not. */
  Result pace(double seconds, double requestsPerSecond) {
    return run(seconds, requestsPerSecond);
  }

  private Result run(double seconds, double requestsPerSecond) {
    long begin = System.nanoTime();
    List<Callable<Result>> work = new ArrayList<>();
    for (int sender = 0; sender < bodies.size(); sender++) {
      Body body = bodies.get(sender);
      long gap = requestsPerSecond == 0 ? 0 : (long) (1e9 * bodies.size() / requestsPerSecond);
      long first = begin + gap * sender / bodies.size();
      work.add(() -> send(body, first, begin + (long) (seconds * 1e9), gap));
    }
    List<Result> parts = new ArrayList<>();
    try {
      for (Future<Result> done : threads.invokeAll(work)) {
        parts.add(done.get());
      }
    } catch (InterruptedException | java.util.concurrent.ExecutionException failure) {
      throw new IllegalStateException(failure);
    }
    Result all = Result.of(parts);
    double wall = (System.nanoTime() - begin) / 1e9;
    return new Result(all.points(), all.taken(), all.refused(), wall, all.nanos());
  }

  private Result send(Body body, long first, long end, long gap) throws IOException {
    long points = 0;
    long refused = 0;
    int taken = 0;
    long[] nanos = new long[1 << 10];
    long due = first;
    try (Door.Connection connection = door.open()) {
      while (true) {
        byte[] request = body.next();
        if (gap == 0) {
          due = System.nanoTime();
        } else {
          due += gap;
          while (System.nanoTime() < due) {
            LockSupport.parkNanos(due - System.nanoTime());
          }
        }
        if (due > end) {
          return new Result(points, taken, refused, 0, Arrays.copyOf(nanos, taken));
        }
        int status = connection.post(request);
        if (status == 429) {
          refused++;
        } else if (status / 100 != 2) {
          throw new IOException("A request got " + status);
        } else {
          if (taken == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * taken);
          }
          nanos[taken++] = System.nanoTime() - due;
          points += body.points();
        }
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

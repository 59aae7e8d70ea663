package io.tidemark.platform.query.application;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;

/**
 * How many queries run at a time: of a lane, and of a tenant within it, so that one tenant's wide
 * queries do not hold up another's. Processes that answer queries share a lane's turns evenly, as
 * they share Druid, and each has one at least. Whoever finds no room waits in a bounded queue for a
 * bounded time.
 */
public final class QueryConcurrencyLimiter {

  /**
   * Sizes of one lane.
   *
   * @param running queries at a time
   * @param runningOfTenant of which one tenant's
   * @param waiting queries that may wait, of one tenant half of them
   */
  public record Size(int running, int runningOfTenant, int waiting) {}

  /** Given back when it is closed. */
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  private static final class Use {
    private int running;
    private int waiting;
    private final Map<TenantId, Integer> tenants = new HashMap<>();
    private final Map<TenantId, Integer> waitingTenants = new HashMap<>();
  }

  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private final Map<Lane, Size> sizes;
  private final Duration patience;
  private final IntSupplier processes;
  private final Map<Lane, Use> uses = new HashMap<>();

  /**
   * Turns.
   *
   * @param sizes of lanes of Druid
   * @param patience how long a query waits
   * @param processes that share them now, 1 for this one alone
   */
  public QueryConcurrencyLimiter(Map<Lane, Size> sizes, Duration patience, IntSupplier processes) {
    this.sizes = Map.copyOf(sizes);
    this.patience = patience;
    this.processes = processes;
  }

  /**
   * Waits until there is room.
   *
   * @throws ProblemException {@code rate_limited} when the queue is full or nothing got free in
   *     time
   */
  public synchronized Turn enter(TenantId tenant, Lane lane) {
    Size size = Objects.requireNonNull(sizes.get(lane));
    Use use = uses.computeIfAbsent(lane, ignored -> new Use());
    if (!hasRoom(size, use, tenant)) {
      if (use.waiting >= size.waiting()
          || use.waitingTenants.getOrDefault(tenant, 0) >= Math.max(1, size.waiting() / 2)) {
        throw full(lane, "as many queries wait as may");
      }
      use.waiting++;
      use.waitingTenants.merge(tenant, 1, Integer::sum);
      try {
        await(size, use, tenant, lane);
      } finally {
        use.waiting--;
        less(use.waitingTenants, tenant);
      }
    }
    use.running++;
    use.tenants.merge(tenant, 1, Integer::sum);
    return () -> leave(use, tenant);
  }

  /** How many queries of a lane wait at the moment. */
  public synchronized int waiting(Lane lane) {
    Use use = uses.get(lane);
    return use == null ? 0 : use.waiting;
  }

  private void await(Size size, Use use, TenantId tenant, Lane lane) {
    long until = System.nanoTime() + patience.toNanos();
    while (!hasRoom(size, use, tenant)) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw full(lane, "none got free within " + patience.toMillis() + " ms");
      }
      try {
        wait(left);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw full(lane, "Tidemark is stopping");
      }
    }
  }

  private boolean hasRoom(Size size, Use use, TenantId tenant) {
    int sharing = Math.max(1, processes.getAsInt());
    return use.running < Math.max(1, size.running() / sharing)
        && use.tenants.getOrDefault(tenant, 0) < Math.max(1, size.runningOfTenant() / sharing);
  }

  private synchronized void leave(Use use, TenantId tenant) {
    use.running--;
    less(use.tenants, tenant);
    notifyAll();
  }

  private static void less(Map<TenantId, Integer> numbers, TenantId tenant) {
    numbers.computeIfPresent(tenant, (key, number) -> number == 1 ? null : number - 1);
  }

  private static ProblemException full(Lane lane, String why) {
    return ProblemException.passing(
        null,
        ErrorCode.RATE_LIMITED,
        "Too many queries run at a time in the lane " + lane.wireName() + ": " + why + ".",
        RETRY_AFTER);
  }
}

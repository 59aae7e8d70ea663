package io.tidemark.platform.ingest.domain;

import io.tidemark.platform.shared.TenantId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes of request bodies held at a time, in all and of one tenant. Without the limit,
 * many large batches at once, or a slow Kafka, would exhaust the heap; with it the sender is told
 * to come back. Bytes are held as they arrive, never by what a request says of its length.
 */
public final class InFlightByteLimiter {

  private final long limit;
  private final long tenantShare;
  private final AtomicLong held = new AtomicLong();
  private final Map<TenantId, Long> heldByTenant = new ConcurrentHashMap<>();

  /** A limit that one tenant may use up. */
  public InFlightByteLimiter(long limit) {
    this(limit, limit);
  }

  /**
   * A limit of which others keep a part free of any one tenant.
   *
   * @param limit bytes of all tenants
   * @param tenantShare bytes of one tenant
   */
  public InFlightByteLimiter(long limit, long tenantShare) {
    this.limit = limit;
    this.tenantShare = tenantShare;
  }

  /** A holding of nobody's share; to be closed when the request is answered. */
  public Reservation hold() {
    return new Reservation(null);
  }

  /** A holding of nothing yet for a tenant; to be closed when the request is answered. */
  public Reservation hold(@Nullable TenantId tenant) {
    return new Reservation(tenant);
  }

  /** Bytes held now. */
  public long held() {
    return held.get();
  }

  /** Bytes of one tenant held now. */
  public long held(TenantId tenant) {
    return heldByTenant.getOrDefault(tenant, 0L);
  }

  private boolean grow(@Nullable TenantId tenant, long more) {
    if (held.addAndGet(more) > limit) {
      held.addAndGet(-more);
      return false;
    }
    if (tenant != null && heldByTenant.merge(tenant, more, Long::sum) > tenantShare) {
      release(tenant, more);
      return false;
    }
    return true;
  }

  private void release(@Nullable TenantId tenant, long bytes) {
    held.addAndGet(-bytes);
    if (tenant != null) {
      heldByTenant.computeIfPresent(tenant, (key, all) -> all == bytes ? null : all - bytes);
    }
  }

  /** What one request holds. */
  public final class Reservation implements AutoCloseable {

    private final @Nullable TenantId tenant;
    private long bytes;
    private boolean closed;

    private Reservation(@Nullable TenantId tenant) {
      this.tenant = tenant;
    }

    /** Holds more; false, and nothing changed, when that would pass a limit, or after the end. */
    public synchronized boolean grow(long more) {
      if (closed || !InFlightByteLimiter.this.grow(tenant, more)) {
        return false;
      }
      bytes += more;
      return true;
    }

    /** Gives everything back; again is harmless. */
    @Override
    public synchronized void close() {
      closed = true;
      release(tenant, bytes);
      bytes = 0;
    }
  }
}

package io.tidemark.platform.ingest.domain;

import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Lets a tenant in while none of its quotas is used up. Asked before anything of a request is read,
 * so that who is over costs next to nothing, and told afterwards what the request was. Counts on
 * this gateway alone. Tenants that have authenticated once are remembered, a few hundred bytes
 * each.
 */
public final class TenantAdmission {

  private final Function<TenantId, QuotaLimits> limits;
  private final LongSupplier nanoTime;
  private final Map<TenantId, Map<Quota, TokenBucket>> tenants = new ConcurrentHashMap<>();

  public TenantAdmission(Function<TenantId, QuotaLimits> limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /**
   * Where one quota of a tenant stands.
   *
   * @param quota which
   * @param most what can be had at once after a silence of {@code window}
   * @param left what can be had now; 0 when nothing
   */
  public record Standing(Quota quota, long most, Duration window, long left, Duration untilFull) {}

  /** Counts a request; present, and nothing counted, when the tenant is over a quota. */
  public Optional<OverQuota> request(TenantId tenant) {
    Map<Quota, TokenBucket> buckets = buckets(tenant);
    QuotaLimits limit = limits.apply(tenant);
    long now = nanoTime.getAsLong();
    OverQuota longest = null;
    for (Quota quota : Quota.values()) {
      long rate = limit.of(quota);
      double left = buckets.get(quota).left(rate, now);
      if (left <= 0) {
        Duration wait = Duration.ofSeconds(TokenBucket.secondsUntilPositive(left, rate));
        if (longest == null || wait.compareTo(longest.retryAfter()) > 0) {
          longest = new OverQuota(quota, rate, wait);
        }
      }
    }
    if (longest == null) {
      buckets.get(Quota.REQUESTS).take(1);
    }
    return Optional.ofNullable(longest);
  }

  /** Counts what a request that was let in turned out to be. */
  public void used(TenantId tenant, Quota quota, long amount) {
    buckets(tenant).get(quota).take(amount);
  }

  /** Where all quotas of a tenant stand. */
  public List<Standing> standings(TenantId tenant) {
    QuotaLimits limit = limits.apply(tenant);
    long now = nanoTime.getAsLong();
    List<Standing> standings = new ArrayList<>();
    buckets(tenant)
        .forEach(
            (quota, bucket) -> {
              long rate = limit.of(quota);
              double left = bucket.left(rate, now);
              double missing = (double) rate * TokenBucket.SECONDS - left;
              standings.add(
                  new Standing(
                      quota,
                      rate * TokenBucket.SECONDS,
                      Duration.ofSeconds(TokenBucket.SECONDS),
                      (long) Math.max(0, left),
                      Duration.ofSeconds((long) Math.ceil(missing / rate))));
            });
    return standings;
  }

  private Map<Quota, TokenBucket> buckets(TenantId tenant) {
    return tenants.computeIfAbsent(
        tenant,
        unknown -> {
          Map<Quota, TokenBucket> buckets = new EnumMap<>(Quota.class);
          for (Quota quota : Quota.values()) {
            buckets.put(quota, new TokenBucket());
          }
          return buckets;
        });
  }
}

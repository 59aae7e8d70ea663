package io.tidemark.platform.ingest.domain;

import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a sender in while no quota of its organisation, and none of its environment, is used up, and
 * its environment is not refused for its series. Asked before anything of a request is read, so
 * that who is over costs next to nothing, and told afterwards what the request was. What other
 * gateways let in is charged here, too, once it is heard of. Environments that have authenticated
 * once are remembered, a few hundred bytes each.
 */
public final class TenantRateLimiter {

  /** Whose quotas; the environment is null for the organisation as a whole. */
  private record Holder(TenantId organization, @Nullable EnvironmentId environment) {}

  private final BiFunction<TenantId, EnvironmentId, Allowance> allowances;
  private final BiFunction<TenantId, EnvironmentId, Optional<OverQuota>> series;
  private final LongSupplier nanoTime;
  private final Uses told;
  private final Map<Holder, Map<Quota, TokenBucket>> holders = new ConcurrentHashMap<>();

  /** Hears what was let in here. */
  @FunctionalInterface
  public interface Uses {
    void used(TenantId organization, EnvironmentId environment, Quota quota, long amount);
  }

  /**
   * Nobody has sent anything yet.
   *
   * @param allowances quotas in force
   * @param series what an environment is refused for that has too many
   * @param told who tells other gateways
   */
  public TenantRateLimiter(
      BiFunction<TenantId, EnvironmentId, Allowance> allowances,
      BiFunction<TenantId, EnvironmentId, Optional<OverQuota>> series,
      LongSupplier nanoTime,
      Uses told) {
    this.allowances = allowances;
    this.series = series;
    this.nanoTime = nanoTime;
    this.told = told;
  }

  /**
   * Where one quota of a sender stands.
   *
   * @param quota which
   * @param most what can be had at once after a silence of {@code window}
   * @param left what can be had now; 0 when nothing
   */
  public record Standing(Quota quota, long most, Duration window, long left, Duration untilFull) {}

  /** Counts a request; present, and nothing counted, when the sender is over a limit. */
  public Optional<OverQuota> request(TenantId organization, EnvironmentId environment) {
    Optional<OverQuota> tooManySeries = series.apply(organization, environment);
    if (tooManySeries.isPresent()) {
      return tooManySeries;
    }
    Allowance allowance = allowances.apply(organization, environment);
    long now = nanoTime.getAsLong();
    OverQuota longest = longer(null, buckets(organization, null), allowance.organization(), now);
    if (allowance.environment() != null) {
      longest = longer(longest, buckets(organization, environment), allowance.environment(), now);
    }
    if (longest == null) {
      used(organization, environment, Quota.REQUESTS, 1);
    }
    return Optional.ofNullable(longest);
  }

  private static @Nullable OverQuota longer(
      @Nullable OverQuota other, Map<Quota, TokenBucket> buckets, QuotaLimits limits, long now) {
    OverQuota longest = other;
    for (Quota quota : Quota.values()) {
      long rate = limits.of(quota);
      double left = Objects.requireNonNull(buckets.get(quota)).left(rate, now);
      if (left <= 0) {
        Duration wait = Duration.ofSeconds(TokenBucket.secondsUntilPositive(left, rate));
        if (longest == null || wait.compareTo(longest.retryAfter()) > 0) {
          longest = new OverQuota(quota, rate, wait);
        }
      }
    }
    return longest;
  }

  /** Counts what a request that was let in turned out to be. */
  public void used(TenantId organization, EnvironmentId environment, Quota quota, long amount) {
    usedElsewhere(organization, environment, quota, amount);
    told.used(organization, environment, quota, amount);
  }

  /** Charges what another gateway let in; overdrawn quotas are paid for before more comes in. */
  public void usedElsewhere(
      TenantId organization, EnvironmentId environment, Quota quota, long amount) {
    Objects.requireNonNull(buckets(organization, null).get(quota)).take(amount);
    if (allowances.apply(organization, environment).environment() != null) {
      Objects.requireNonNull(buckets(organization, environment).get(quota)).take(amount);
    }
  }

  /** Where all quotas of a sender stand; of two of a name the one with less left. */
  public List<Standing> standings(TenantId organization, EnvironmentId environment) {
    Allowance allowance = allowances.apply(organization, environment);
    long now = nanoTime.getAsLong();
    List<Standing> standings = new ArrayList<>();
    for (Quota quota : Quota.values()) {
      Standing whole = standing(quota, buckets(organization, null), allowance.organization(), now);
      Standing part =
          allowance.environment() == null
              ? whole
              : standing(quota, buckets(organization, environment), allowance.environment(), now);
      standings.add(part.left() < whole.left() ? part : whole);
    }
    return standings;
  }

  private static Standing standing(
      Quota quota, Map<Quota, TokenBucket> buckets, QuotaLimits limits, long now) {
    long rate = limits.of(quota);
    double left = Objects.requireNonNull(buckets.get(quota)).left(rate, now);
    double missing = (double) rate * TokenBucket.SECONDS - left;
    return new Standing(
        quota,
        rate * TokenBucket.SECONDS,
        Duration.ofSeconds(TokenBucket.SECONDS),
        (long) Math.max(0, left),
        Duration.ofSeconds((long) Math.ceil(missing / rate)));
  }

  private Map<Quota, TokenBucket> buckets(
      TenantId organization, @Nullable EnvironmentId environment) {
    return holders.computeIfAbsent(
        new Holder(organization, environment),
        unknown -> {
          Map<Quota, TokenBucket> buckets = new EnumMap<>(Quota.class);
          for (Quota quota : Quota.values()) {
            buckets.put(quota, new TokenBucket());
          }
          return buckets;
        });
  }
}

package io.tidemark.platform.retention;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** How long environments keep their data. Every change is audited and told to the pipeline. */
@Service
public class Retention {

  /**
   * Jobs hear of a change within seconds of its commit; from this time on they judge batches by it.
   */
  static final Duration AHEAD = Duration.ofSeconds(90);

  private final TenantTransactions transactions;
  private final JdbcRetention rows;
  private final Environments environments;
  private final AuditLog audit;
  private final StoredRowCounter stored;
  private final Clock clock;

  Retention(
      TenantTransactions transactions,
      JdbcRetention rows,
      Environments environments,
      AuditLog audit,
      StoredRowCounter stored,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.environments = environments;
    this.audit = audit;
    this.stored = stored;
    this.clock = clock;
  }

  /**
   * The retention of an environment.
   *
   * @param environment as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public EnvironmentRetention get(TenantId organization, String environment) {
    return transactions.within(
        organization, () -> kept(organization, environments.get(organization, environment).id()));
  }

  /** The policies of all environments that have one. */
  Map<EnvironmentId, RetentionPolicy> all(TenantId organization) {
    return transactions.within(organization, () -> rows.all(organization));
  }

  private EnvironmentRetention kept(TenantId organization, EnvironmentId environment) {
    return rows.find(organization, environment).orElse(EnvironmentRetention.NONE);
  }

  /**
   * Replaces the policy.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code
   *     precondition_failed}
   */
  public EnvironmentRetention change(
      TenantId organization,
      Actor actor,
      String environment,
      ExpectedVersion expected,
      RetentionPolicy policy) {
    return transactions.within(
        organization,
        () -> {
          EnvironmentId place = environments.get(organization, environment).id();
          check(policy);
          EnvironmentRetention before = kept(organization, place);
          expected.check(before.version());
          if (policy.equals(before.policy())) {
            return before;
          }
          Instant now = clock.instant();
          boolean isAhead = before.from() != null && before.from().isAfter(now);
          EnvironmentRetention after =
              new EnvironmentRetention(
                  policy,
                  before.version() + 1,
                  now,
                  isAhead ? before.before() : before.policy(),
                  now.plus(AHEAD));
          if (!rows.put(organization, place, after)) {
            // Somebody else was between the look and the change.
            ExpectedVersion.NONE.check(before.version());
          }
          environments.tellAgain(organization, place);
          audit.done(
              organization,
              actor,
              "retention.change",
              "environment",
              place.value(),
              before.policy(),
              policy);
          return kept(organization, place);
        });
  }

  private static void check(RetentionPolicy policy) {
    ProblemException.refuse(policy.faults());
  }

  /**
   * What a policy would hide and remove that is kept now, level by level.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}; {@code store_unavailable}
   *     or {@code store_failed} when rows cannot be counted
   */
  public List<Effect> preview(TenantId organization, String environment, RetentionPolicy policy) {
    EnvironmentRetention current = get(organization, environment);
    check(policy);
    Instant now = clock.instant();
    EnvironmentId place = new EnvironmentId(environment);
    return List.of(Level.values()).stream()
        .map(
            level -> {
              Integer days = policy.environment().of(level);
              StoredRowCounter.Stored counted =
                  level == Level.RAW
                      ? null
                      : stored.count(
                          organization,
                          place,
                          level,
                          policy.expired(level, now),
                          current.policy().expired(level, now));
              return new Effect(
                  level, days == null ? null : now.minus(Duration.ofDays(days)), counted);
            })
        .toList();
  }

  /**
   * What a policy does to a level.
   *
   * @param keptSince windows before it are removed, but for exceptions; null when the level is kept
   *     without a limit
   * @param removed null for raw points, whose rows the lake alone can count
   */
  public record Effect(
      Level level, @Nullable Instant keptSince, StoredRowCounter.@Nullable Stored removed) {}
}

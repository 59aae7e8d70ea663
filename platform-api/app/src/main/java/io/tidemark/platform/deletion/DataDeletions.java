package io.tidemark.platform.deletion;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.deletion.DataDeletion.Kind;
import io.tidemark.platform.deletion.DataDeletion.Subject;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Removals as people ask for them and see them. */
@Service
public class DataDeletions {

  /** A metric with points younger than this is still being sent. */
  static final Duration STILL_SENT = Duration.ofMinutes(10);

  private static final int MAX_RUNNING = 20;
  private static final int LONGEST_METRIC = 255;
  private static final Pattern SERIES = Pattern.compile("[0-9a-f]{32}");

  private final TenantTransactions transactions;
  private final Environments environments;
  private final JdbcDeletionRepository rows;
  private final DeletableRows stored;
  private final DatasourcePlacements placements;
  private final DeletionScheduler beginning;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final Clock clock;

  DataDeletions(
      TenantTransactions transactions,
      Environments environments,
      JdbcDeletionRepository rows,
      DeletableRows stored,
      DatasourcePlacements placements,
      DeletionScheduler beginning,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.environments = environments;
    this.rows = rows;
    this.stored = stored;
    this.placements = placements;
    this.beginning = beginning;
    this.creation = creation;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * What a deletion would remove from a datasource.
   *
   * @param found panes are rows as they were written
   */
  public record Effect(String datasource, DeletableRows.Found found) {}

  /** What a deletion would do, and whether it would be refused. */
  public record Preview(List<Effect> effects, boolean isStillSent) {}

  /**
   * Begins to delete data of a metric.
   *
   * @param environment as the caller wrote it
   * @throws ProblemException {@code invalid_request}, {@code not_found}; {@code conflict} while it
   *     is still being sent, or when twenty deletions run; see also {@link IdempotentCreation}
   */
  public Created<DataDeletion> begin(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      Subject subject) {
    EnvironmentId place = environments.get(organization, environment).id();
    check(subject);
    return creation.once(
        organization,
        "deletion.request",
        idempotencyKey,
        environment + "\n" + subject,
        new Creation<>(
            () -> make(organization, actor, place, subject),
            DataDeletion::id,
            id -> get(organization, environment, id)));
  }

  private DataDeletion make(
      TenantId organization, Actor actor, EnvironmentId environment, Subject subject) {
    List<DeletionRule> rules = rules(subject);
    Instant newest = beginning.newest(organization, environment, rules);
    if (isStillSent(subject, newest)) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The metric "
              + subject.metric()
              + " was still sent at "
              + newest
              + ". Stop sending it and try again in ten minutes, or delete only what is before a"
              + " day.");
    }
    if (rows.running(organization, environment, Kind.SERIES) >= MAX_RUNNING) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          MAX_RUNNING + " deletions run in this environment. Wait until one is done.");
    }
    DataDeletion begun =
        beginning.begin(
            organization,
            environment,
            Kind.SERIES,
            subject,
            rules,
            beginning.settledFrom(newest),
            List.of());
    audit.done(organization, actor, "deletion.request", "deletion", begun.id(), null, asked(begun));
    return begun;
  }

  /** What the audit log shows of it. */
  private record RequestedDeletion(
      String environmentId,
      @Nullable String metric,
      @Nullable String seriesId,
      @Nullable String before) {}

  private static RequestedDeletion asked(DataDeletion removal) {
    Subject subject = removal.subject();
    return new RequestedDeletion(
        removal.environment().value(),
        subject.metric(),
        subject.seriesId(),
        subject.before() == null ? null : subject.before().toString());
  }

  private boolean isStillSent(Subject subject, @Nullable Instant newest) {
    return subject.before() == null
        && newest != null
        && newest.isAfter(clock.instant().minus(STILL_SENT));
  }

  private static List<DeletionRule> rules(Subject subject) {
    return List.of(
        new DeletionRule(null, subject.metric(), List.of(), subject.seriesId(), subject.before()));
  }

  private void check(Subject subject) {
    List<String> faults = new ArrayList<>();
    String metric = subject.metric();
    if (metric == null
        || metric.isEmpty()
        || metric.length() > LONGEST_METRIC
        || metric.endsWith("*")
        || !StandardCharsets.UTF_8.newEncoder().canEncode(metric)
        || metric.codePoints().anyMatch(Character::isISOControl)) {
      faults.add("metric must be the name of a metric, 1 to " + LONGEST_METRIC + " characters.");
    }
    if (subject.seriesId() != null && !SERIES.matcher(subject.seriesId()).matches()) {
      faults.add("series_id must be 32 hexadecimal digits in lower case, or absent.");
    }
    Instant before = subject.before();
    Instant today = clock.instant().truncatedTo(ChronoUnit.DAYS);
    if (before != null
        && (!before.equals(before.truncatedTo(ChronoUnit.DAYS))
            || before.isAfter(today)
            || !before.isAfter(Instant.EPOCH))) {
      faults.add("before must be the beginning of a day in UTC, not later than today's.");
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  /** What a deletion would remove; changes nothing. As {@link #begin}. */
  public Preview preview(TenantId organization, String environment, Subject subject) {
    EnvironmentId place = environments.get(organization, environment).id();
    check(subject);
    List<DeletionRule> rules = rules(subject);
    List<Effect> effects =
        DeletionTargets.datasources(placements, organization).stream()
            .map(
                datasource ->
                    new Effect(
                        datasource,
                        stored.find(datasource, DeletionRule.filter(organization, place, rules))))
            .toList();
    Instant newest =
        effects.stream()
            .filter(effect -> DeletionTargets.isOfMinutes(effect.datasource()))
            .map(effect -> effect.found().newest())
            .filter(java.util.Objects::nonNull)
            .max(Instant::compareTo)
            .orElse(null);
    return new Preview(effects, isStillSent(subject, newest));
  }

  /**
   * A removal, also of an environment that is deleted.
   *
   * @throws ProblemException {@code not_found}
   */
  public DataDeletion get(TenantId organization, String environment, String id) {
    return transactions
        .within(organization, () -> rows.find(organization, id))
        .filter(found -> found.environment().value().equals(environment))
        .orElseThrow(() -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such deletion."));
  }

  /**
   * Removals of an environment, oldest first, also of one that is deleted.
   *
   * @throws ProblemException {@code not_found}
   */
  public Page<DataDeletion> list(TenantId organization, String environment, PageRequest page) {
    boolean isThere =
        TenantId.isWellFormed(environment)
            && environments.inAnyState(organization, new EnvironmentId(environment)).isPresent();
    if (!isThere) {
      throw ProblemException.of(ErrorCode.NOT_FOUND, "There is no such environment.");
    }
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(
                    organization, new EnvironmentId(environment), page.after(), page.limit() + 1),
                page,
                DataDeletion::id));
  }
}

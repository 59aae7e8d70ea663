package io.tidemark.platform.deletion;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * Takes the next step of removals that run. Any number of instances may do so: each claims what it
 * works on, and what one began another goes on with.
 */
@Service
class DeletionExecutor {

  private static final Duration CLAIM = Duration.ofMinutes(5);

  /** Whether the pipeline lags is asked so long before a look may be the last one. */
  private static final Duration AHEAD = Duration.ofSeconds(30);

  private final TenantTransactions transactions;
  private final CrossTenantDeletions places;
  private final JdbcDeletionRepository rows;
  private final DeletableRows stored;
  private final LakeDeletionPublisher lake;
  private final PipelineProgress progress;
  private final DeletionProperties properties;
  private final AuditLog audit;
  private final ApplicationEventPublisher events;
  private final Clock clock;

  DeletionExecutor(
      TenantTransactions transactions,
      CrossTenantDeletions places,
      JdbcDeletionRepository rows,
      DeletableRows stored,
      LakeDeletionPublisher lake,
      PipelineProgress progress,
      DeletionProperties properties,
      AuditLog audit,
      ApplicationEventPublisher events,
      Clock clock) {
    this.transactions = transactions;
    this.places = places;
    this.rows = rows;
    this.stored = stored;
    this.lake = lake;
    this.progress = progress;
    this.properties = properties;
    this.audit = audit;
    this.events = events;
    this.clock = clock;
  }

  /** Takes a step of every removal that runs. */
  void advanceAll() {
    for (CrossTenantDeletions.DeletionRef place : places.toAdvance(clock.instant())) {
      advance(place.organization(), place.removal());
    }
  }

  private void advance(TenantId organization, String id) {
    Instant now = clock.instant();
    // The database keeps microseconds, and the claim is recognised by its end.
    Instant until = now.plus(CLAIM).truncatedTo(ChronoUnit.MICROS);
    boolean isMine =
        transactions.within(organization, () -> rows.claim(organization, id, now, until));
    if (!isMine) {
      return;
    }
    DataDeletion removal =
        transactions.within(
            organization, () -> postponed(rows.lock(organization, id).orElseThrow(), now));
    List<DruidDeletionStep> steps =
        removal.druid().stream().map(step -> advance(removal, step, now)).toList();
    transactions.run(
        organization,
        () -> {
          rows.lock(organization, id);
          if (rows.setDruid(organization, id, steps, until)) {
            rows.find(organization, id).filter(DataDeletion::isClear).ifPresent(this::finish);
          }
        });
  }

  /**
   * The removal, which settles later while the pipeline lags: it must have stated, and Druid must
   * have read, that it is complete up to where everything was accepted. That is asked again soon,
   * so that the certificate does not wait long after the pipeline has caught up.
   */
  private DataDeletion postponed(DataDeletion removal, Instant now) {
    Instant accepted =
        rows.acceptedUntil(removal.organization(), removal.id())
            .orElse(removal.settledFrom().minus(properties.settling()));
    Duration ahead = properties.settling().compareTo(AHEAD) < 0 ? properties.settling() : AHEAD;
    boolean isBeyond =
        progress
            .completeUntil(removal.organization())
            .filter(until -> !until.isBefore(accepted))
            .isPresent();
    if (isBeyond || now.isBefore(removal.settledFrom().minus(ahead))) {
      return removal;
    }
    DataDeletion later =
        removal.settledFrom(
            now.plus(ahead.multipliedBy(2)).plusSeconds(1).truncatedTo(ChronoUnit.MILLIS));
    rows.postpone(
        removal.organization(), removal.id(), accepted, later.settledFrom(), later.lake());
    lake.remove(later);
    return later;
  }

  /**
   * One store's next step.
   *
   * @param now of the whole pass: had the removal settled only since, nobody would have asked
   *     whether the pipeline lags
   */
  private DruidDeletionStep advance(DataDeletion removal, DruidDeletionStep step, Instant now) {
    try {
      return step.advance(
          stored,
          DeletionRule.filter(
              removal.organization(), removal.environment(), removal.rulesOf(step.datasource())),
          removal.settledFrom(),
          now);
    } catch (ProblemException notNow) {
      return step.failed(Objects.requireNonNull(notNow.getMessage()));
    }
  }

  private void finish(DataDeletion removal) {
    Instant now = clock.instant();
    DeletionCertificate certificate = DeletionCertificate.of(removal, now);
    rows.finish(
        removal.organization(), removal.id(), now, certificate.text(), certificate.sha256());
    lake.isDone(removal);
    Map<String, Object> told = new TreeMap<>();
    told.put("environment_id", removal.environment().value());
    told.put("kind", removal.kind().wireName());
    told.put("certificate_sha256", certificate.sha256());
    told.put(
        "rows_removed",
        removal.druid().stream().mapToLong(DruidDeletionStep::panesRemoved).sum()
            + removal.lake().stream().mapToLong(LakeDeletionStep::rowsRemoved).sum());
    audit.done(
        removal.organization(),
        Actor.system("removal"),
        "deletion.certify",
        "deletion",
        removal.id(),
        null,
        told);
    boolean isWholeMetric =
        removal.kind() == DataDeletion.Kind.SERIES
            && removal.subject().seriesId() == null
            && removal.subject().before() == null;
    if (isWholeMetric) {
      events.publishEvent(
          new MetricDeleted(
              removal.organization(), removal.environment(), removal.subject().metric()));
    }
  }
}

package io.tidemark.platform.deletion;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.deletion.CrossTenantDeletions.DeletionRef;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;

/** The first region, or the only one: begins removals, and certifies them when all have ended. */
class FirstRegionDeletions implements RegionDeletions {

  private final DeletionScheduler beginning;
  private final RegionAbsence absence;
  private final CrossTenantDeletions places;
  private final JdbcDeletionRepository rows;
  private final LakeDeletionPublisher lake;
  private final AuditLog audit;
  private final ApplicationEventPublisher events;
  private final Clock clock;

  FirstRegionDeletions(
      DeletionScheduler beginning,
      RegionAbsence absence,
      CrossTenantDeletions places,
      JdbcDeletionRepository rows,
      LakeDeletionPublisher lake,
      AuditLog audit,
      ApplicationEventPublisher events,
      Clock clock) {
    this.beginning = beginning;
    this.absence = absence;
    this.places = places;
    this.rows = rows;
    this.lake = lake;
    this.audit = audit;
    this.events = events;
    this.clock = clock;
  }

  @Override
  public void beginDue() {
    absence.show(places.regions());
    beginning.beginDue();
  }

  @Override
  public List<DeletionRef> toAdvance(Instant at) {
    return places.toAdvance(at);
  }

  @Override
  public boolean claim(TenantId organization, String id, Instant now, Instant until) {
    return rows.claim(organization, id, now, until);
  }

  @Override
  public Optional<DataDeletion> lock(TenantId organization, String id) {
    return rows.lock(organization, id);
  }

  @Override
  public @Nullable Instant acceptedUntil(TenantId organization, String id) {
    return rows.acceptedUntil(organization, id).orElse(null);
  }

  @Override
  public DataDeletion postpone(DataDeletion removal, Instant acceptedUntil, Instant settledFrom) {
    DataDeletion later = removal.settledFrom(settledFrom);
    rows.postpone(removal.organization(), removal.id(), acceptedUntil, settledFrom, later.lake());
    lake.remove(later);
    return later;
  }

  @Override
  public boolean setDruid(
      TenantId organization, String id, List<DruidDeletionStep> steps, Instant claimedUntil) {
    return rows.setDruid(organization, id, steps, claimedUntil);
  }

  @Override
  public void setLake(TenantId organization, String id, List<LakeDeletionStep> steps) {
    rows.setLake(organization, id, steps);
  }

  @Override
  public void finishIfClear(TenantId organization, String id) {
    rows.find(organization, id)
        .filter(DataDeletion::isClear)
        .ifPresent(
            removal -> {
              if (removal.needsNoRegion()) {
                finish(removal);
              } else {
                bound(removal);
              }
            });
  }

  /** Others go on, maybe for days: what is sent from now on is not theirs to remove. */
  private void bound(DataDeletion removal) {
    List<DeletionRule> bounded = removal.boundedRules();
    if (!bounded.equals(removal.rules())) {
      rows.setRules(removal.organization(), removal.id(), bounded);
      rows.find(removal.organization(), removal.id()).ifPresent(lake::remove);
    }
  }

  private void finish(DataDeletion removal) {
    Instant now = clock.instant();
    DeletionCertificate certificate = DeletionCertificate.of(removal, now);
    rows.finish(
        removal.organization(), removal.id(), now, certificate.text(), certificate.sha256());
    if (removal.regions().stream().allMatch(RegionSteps::isDone)) {
      lake.isDone(removal);
    }
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
    if (removal.isOfWholeMetric()) {
      events.publishEvent(
          new MetricDeleted(
              removal.organization(),
              removal.environment(),
              Objects.requireNonNull(removal.subject().metric())));
    }
  }
}

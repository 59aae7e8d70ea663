package io.tidemark.platform.deletion;

import io.tidemark.platform.deletion.CrossTenantDeletions.DeletionRef;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A second region: removes from its own stores what the first one has begun, and also what was
 * finished before this region was there, because it reads older points again.
 */
class SecondRegionDeletions implements RegionDeletions {

  private final String region;
  private final CrossTenantDeletions places;
  private final JdbcDeletionRepository rows;
  private final JdbcRegionStepRepository steps;
  private final LakeDeletionPublisher lake;
  private final Duration settling;
  private final Clock clock;

  SecondRegionDeletions(
      String region,
      CrossTenantDeletions places,
      JdbcDeletionRepository rows,
      JdbcRegionStepRepository steps,
      LakeDeletionPublisher lake,
      Duration settling,
      Clock clock) {
    this.region = region;
    this.places = places;
    this.rows = rows;
    this.steps = steps;
    this.lake = lake;
    this.settling = settling;
    this.clock = clock;
  }

  /** Says that the region is there: from then on nothing is certified without it. */
  @Override
  public void beginDue() {
    places.register(region, clock.instant());
  }

  @Override
  public List<DeletionRef> toAdvance(Instant at) {
    return places.toAdvanceIn(region, at);
  }

  @Override
  public boolean claim(TenantId organization, String id, Instant now, Instant until) {
    rows.lock(organization, id).ifPresent(removal -> adopt(removal, now));
    return steps.claim(organization, id, region, now, until);
  }

  /**
   * Begins it here. What this region has read of the stream is on its way to its stores, so it
   * settles no earlier than anything that is accepted now.
   */
  private void adopt(DataDeletion removal, Instant now) {
    Instant settled = now.plus(settling).truncatedTo(ChronoUnit.MILLIS);
    boolean isLater = settled.isAfter(removal.settledFrom());
    boolean isBegun =
        steps.insert(
            removal.organization(), removal, region, isLater ? settled : removal.settledFrom());
    // The lake must know the later time, or that it has an order: a finished one is taken back.
    if (isBegun && (isLater || removal.finishedAt() != null)) {
      lock(removal.organization(), removal.id()).ifPresent(lake::remove);
    }
  }

  @Override
  public Optional<DataDeletion> lock(TenantId organization, String id) {
    return rows.lock(organization, id)
        .flatMap(
            removal ->
                removal.regions().stream()
                    .filter(own -> own.region().equals(region) && own.settledFrom() != null)
                    .findFirst()
                    .map(removal::in));
  }

  @Override
  public @Nullable Instant acceptedUntil(TenantId organization, String id) {
    return steps.acceptedUntil(organization, id, region);
  }

  @Override
  public DataDeletion postpone(DataDeletion removal, Instant acceptedUntil, Instant settledFrom) {
    DataDeletion later = removal.settledFrom(settledFrom);
    steps.postpone(later.organization(), later, region, acceptedUntil);
    lake.remove(later);
    return later;
  }

  @Override
  public boolean setDruid(
      TenantId organization, String id, List<DruidDeletionStep> druid, Instant claimedUntil) {
    return steps.setDruid(organization, id, region, druid, claimedUntil);
  }

  @Override
  public void setLake(TenantId organization, String id, List<LakeDeletionStep> tables) {
    steps.setLake(organization, id, region, tables);
  }

  /** The last region takes the order back, unless the first one has not ended: then that does. */
  @Override
  public void finishIfClear(TenantId organization, String id) {
    if (lock(organization, id).filter(DataDeletion::isClear).isPresent()) {
      steps.finish(organization, id, region, clock.instant());
      rows.find(organization, id)
          .filter(removal -> removal.finishedAt() != null)
          .filter(removal -> removal.regions().stream().allMatch(RegionSteps::isDone))
          .ifPresent(lake::isDone);
    }
  }
}

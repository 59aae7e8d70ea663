package io.tidemark.platform.deletion;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
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
  private final RegionDeletions region;
  private final DeletableRows stored;
  private final PipelineProgress progress;
  private final DeletionProperties properties;
  private final Clock clock;

  DeletionExecutor(
      TenantTransactions transactions,
      RegionDeletions region,
      DeletableRows stored,
      PipelineProgress progress,
      DeletionProperties properties,
      Clock clock) {
    this.transactions = transactions;
    this.region = region;
    this.stored = stored;
    this.progress = progress;
    this.properties = properties;
    this.clock = clock;
  }

  /** Takes a step of every removal that runs. */
  void advanceAll() {
    for (CrossTenantDeletions.DeletionRef place : region.toAdvance(clock.instant())) {
      advance(place.organization(), place.removal());
    }
  }

  private void advance(TenantId organization, String id) {
    Instant now = clock.instant();
    // The database keeps microseconds, and the claim is recognised by its end.
    Instant until = now.plus(CLAIM).truncatedTo(ChronoUnit.MICROS);
    boolean isMine =
        transactions.within(organization, () -> region.claim(organization, id, now, until));
    if (!isMine) {
      return;
    }
    DataDeletion removal =
        transactions.within(
            organization, () -> postponed(region.lock(organization, id).orElseThrow(), now));
    List<DruidDeletionStep> steps =
        removal.druid().stream().map(step -> advance(removal, step, now)).toList();
    transactions.run(
        organization,
        () -> {
          region.lock(organization, id);
          if (region.setDruid(organization, id, steps, until)) {
            region.finishIfClear(organization, id);
          }
        });
  }

  /**
   * The removal, which settles later while the pipeline lags: it must have stated, and Druid must
   * have read, that it is complete up to where everything was accepted. That is asked again soon,
   * so that the certificate does not wait long after the pipeline has caught up.
   */
  private DataDeletion postponed(DataDeletion removal, Instant now) {
    // It waits for another region, and every store here has been looked at for the last time.
    if (removal.isClear()) {
      return removal;
    }
    Instant before = region.acceptedUntil(removal.organization(), removal.id());
    Instant accepted = before == null ? removal.settledFrom().minus(properties.settling()) : before;
    Duration ahead = properties.settling().compareTo(AHEAD) < 0 ? properties.settling() : AHEAD;
    boolean isBeyond =
        progress
            .completeUntil(removal.organization())
            .filter(until -> !until.isBefore(accepted))
            .isPresent();
    if (isBeyond || now.isBefore(removal.settledFrom().minus(ahead))) {
      return removal;
    }
    return region.postpone(
        removal,
        accepted,
        now.plus(ahead.multipliedBy(2)).plusSeconds(1).truncatedTo(ChronoUnit.MILLIS));
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
}

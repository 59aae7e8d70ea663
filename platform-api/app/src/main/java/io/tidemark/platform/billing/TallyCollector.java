package io.tidemark.platform.billing;

import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.usage.CrossTenantTallies;
import io.tidemark.platform.usage.OpenTally;
import io.tidemark.platform.usage.UsageTally;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Enters what processes of this platform counted into the ledger. Tally and ledger change in one
 * transaction, and a record is named after its tally and part, so units are entered once however
 * many processes collect and whenever one dies.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
public class TallyCollector implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(TallyCollector.class);

  private static final int AT_A_TIME = 2_000;

  /** A running hour has a part at its beginning and one in so long, so that drafts are of now. */
  private static final Duration BETWEEN_PARTS = Duration.ofMinutes(15);

  /** Longer than any transaction; nothing is added to such an hour any more. */
  private static final Duration REMEMBERED = Duration.ofDays(3);

  private final CrossTenantTallies tallied;
  private final UsageTally tally;
  private final UsageLedger ledger;
  private final Meters meters;
  private final TenantTransactions transactions;
  private final BillingProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;

  TallyCollector(
      CrossTenantTallies tallied,
      UsageTally tally,
      UsageLedger ledger,
      Meters meters,
      TenantTransactions transactions,
      BillingProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.tallied = tallied;
    this.tally = tally;
    this.ledger = ledger;
    this.meters = meters;
    this.transactions = transactions;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("usage-tallies", properties.collectingPeriod());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "usage-tallies"));
    long period = properties.collectingPeriod().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::attempt, period, period, TimeUnit.MILLISECONDS);
  }

  private void attempt() {
    try {
      if (collect()) {
        loop.succeeded();
      }
    } catch (RuntimeException failure) {
      LOG.warn("Usage cannot be entered into the ledger; tried again: {}", failure.toString());
    }
  }

  /**
   * Enters what is due of every organisation.
   *
   * @return false when that of some could not be
   */
  public boolean collect() {
    boolean isWhole = true;
    for (TenantId organization : tallied.organizations()) {
      try {
        while (collect(organization) == AT_A_TIME) {
          LOG.debug("More usage of {} is due", organization);
        }
      } catch (RuntimeException failure) {
        LOG.error("Usage of {} is not entered; tried again", organization, failure);
        isWhole = false;
      }
    }
    return isWhole;
  }

  private int collect(TenantId organization) {
    return transactions.within(
        organization,
        () -> {
          Instant now = clock.instant();
          List<OpenTally> open =
              tally.lockOpen(
                  organization,
                  now.truncatedTo(ChronoUnit.HOURS),
                  now.minus(BETWEEN_PARTS),
                  AT_A_TIME);
          if (!open.isEmpty()) {
            ledger.record(open.stream().map(one -> record(organization, one, now)).toList());
            tally.enter(organization, open);
          }
          tally.forget(organization, now.minus(REMEMBERED));
          return open.size();
        });
  }

  private MeteredRecord record(TenantId organization, OpenTally open, Instant now) {
    var used = open.used();
    return new MeteredRecord(
        organization,
        UsageChain.hash(
            "tally",
            organization.value(),
            open.process(),
            open.hour().toString(),
            used.environment(),
            used.resourceType(),
            used.resourceId(),
            used.metric(),
            used.meter(),
            Integer.toString(open.part())),
        used.environment(),
        used.resourceType(),
        used.resourceId(),
        used.metric(),
        open.hour(),
        meters.version(),
        Map.of(used.meter(), used.units()),
        now.truncatedTo(ChronoUnit.MILLIS),
        MeteredRecord.NO_PARTITION,
        open.part());
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdownNow();
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}

package io.tidemark.platform.alerting;

import io.tidemark.platform.alerting.CrossTenantIncidents.Suppressed;
import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
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
 * Looks for open incidents whose silence or inhibition has ended, so that somebody is told. Two
 * processes may look: an incident is held while it is judged, and is told of once.
 */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class SuppressionLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(SuppressionLoop.class);
  private static final int AT_A_TIME = 500;

  private final CrossTenantIncidents incidents;
  private final TenantTransactions transactions;
  private final IncidentAnnouncer announcer;
  private final AlertingProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;
  private volatile boolean isFailing;

  SuppressionLoop(
      CrossTenantIncidents incidents,
      TenantTransactions transactions,
      IncidentAnnouncer announcer,
      AlertingProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.incidents = incidents;
    this.transactions = transactions;
    this.announcer = announcer;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("suppression", properties.suppressionPeriod());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "suppression"));
    long period = properties.suppressionPeriod().toMillis();
    var unused = thread.scheduleWithFixedDelay(this::pass, period, period, TimeUnit.MILLISECONDS);
  }

  private void pass() {
    try {
      boolean isWhole = true;
      List<Suppressed> page = incidents.suppressed(null, AT_A_TIME);
      while (!page.isEmpty()) {
        for (Suppressed one : page) {
          isWhole &= reconsider(one);
        }
        page =
            page.size() < AT_A_TIME
                ? List.of()
                : incidents.suppressed(page.get(page.size() - 1), AT_A_TIME);
      }
      isFailing = false;
      if (isWhole) {
        loop.succeeded();
      }
    } catch (RuntimeException failure) {
      if (!isFailing) {
        LOG.warn("Ends of silences cannot be looked for; tried again: {}", failure.toString());
      }
      isFailing = true;
    }
  }

  /** One that cannot be judged keeps no other waiting. */
  private boolean reconsider(Suppressed one) {
    try {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
      transactions.run(
          one.organization(), () -> announcer.reconsider(one.organization(), one.incident(), now));
      return true;
    } catch (RuntimeException failure) {
      LOG.warn(
          "Whether {} is still suppressed is not known; tried again: {}",
          one.incident(),
          failure.toString());
      return false;
    }
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

package io.tidemark.platform.tenancy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
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
 * Makes deletions final whose time of grace is over. Looks every ten seconds; any number of
 * instances may do so.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class EnvironmentDeletionFinalizer implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentDeletionFinalizer.class);
  private static final long PERIOD_SECONDS = 10;

  private final CrossTenantEnvironments places;
  private final Environments environments;
  private final Organizations organizations;
  private final Clock clock;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;

  EnvironmentDeletionFinalizer(
      CrossTenantEnvironments places,
      Environments environments,
      Organizations organizations,
      Clock clock,
      BackgroundLoops loops) {
    this.places = places;
    this.environments = environments;
    this.organizations = organizations;
    this.clock = clock;
    this.loop = loops.loop("finishing-deletions", Duration.ofSeconds(PERIOD_SECONDS));
  }

  /** Makes every deletion final that is due. */
  void finishDue() {
    for (CrossTenantEnvironments.EnvironmentRef due : places.toFinishDeleting(clock.instant())) {
      environments.finishDeleting(
          due.organization(), due.environment(), Actor.system("finishing-deletions"));
    }
    for (TenantId due : places.organizationsToFinishDeleting(clock.instant())) {
      organizations.finishDeleting(due, Actor.system("finishing-deletions"));
    }
  }

  @Override
  public synchronized void start() {
    thread =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "finishing-deletions"));
    var unused =
        thread.scheduleWithFixedDelay(
            this::tryToFinish, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void tryToFinish() {
    try {
      finishDue();
      loop.succeeded();
    } catch (RuntimeException failure) {
      LOG.warn("Deletions that are due are not final yet; tried again: {}", failure.toString());
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

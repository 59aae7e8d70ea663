package io.tidemark.platform.billing;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Duration;
import java.util.Locale;
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
 * Reports differences that reconciliation found twice and that are still there, by stage, as
 * metrics of the platform. Not a number while the database does not say.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class OpenDifferences implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(OpenDifferences.class);
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private final CrossTenantReconciliations reconciliations;
  private volatile @Nullable Map<Difference.Stage, Long> open;
  private final Object looking = new Object();
  private boolean isFailing;
  private @Nullable ScheduledExecutorService thread;

  OpenDifferences(CrossTenantReconciliations reconciliations, MeterRegistry meters) {
    this.reconciliations = reconciliations;
    for (Difference.Stage stage : Difference.Stage.values()) {
      Gauge.builder("tidemark.reconciliation.differences", this, found -> found.of(stage))
          .tag("stage", stage.name().toLowerCase(Locale.ROOT))
          .description("Points of an hour that differ from the stage before, and are not mended")
          .register(meters);
    }
  }

  private double of(Difference.Stage stage) {
    Map<Difference.Stage, Long> now = open;
    return now == null ? Double.NaN : now.getOrDefault(stage, 0L);
  }

  @Override
  public synchronized void start() {
    thread =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "open-differences"));
    var unused =
        thread.scheduleWithFixedDelay(this::look, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks once. Of two at the same time the later one is shown. */
  void look() {
    synchronized (looking) {
      try {
        open = reconciliations.openDifferences();
        isFailing = false;
      } catch (RuntimeException away) {
        open = null;
        if (!isFailing) {
          LOG.warn("Differences cannot be counted: {}", away.toString());
        }
        isFailing = true;
      }
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

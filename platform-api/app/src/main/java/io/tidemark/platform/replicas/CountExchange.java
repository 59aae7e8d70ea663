package io.tidemark.platform.replicas;

import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.RolesProperties;
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
 * Tells other processes of this one's counts and hears theirs, once a second. While the database
 * cannot be asked each process counts for itself; what was used meanwhile is told afterwards.
 */
@Component
class CountExchange implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(CountExchange.class);

  private final SharedCounts counts;
  private final CrossTenantProcessCounts rows;
  private final RolesProperties roles;
  private final ReplicasProperties properties;
  private final String process;
  private volatile @Nullable ScheduledExecutorService thread;
  private boolean failing;

  CountExchange(
      SharedCounts counts,
      CrossTenantProcessCounts rows,
      RolesProperties roles,
      ReplicasProperties properties,
      IdentifierSource identifiers) {
    this.counts = counts;
    this.rows = rows;
    this.roles = roles;
    this.properties = properties;
    this.process = identifiers.next();
  }

  /** Doors open after it. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "shared-counts"));
    long period = properties.period().toMillis();
    var unused = thread.scheduleWithFixedDelay(this::exchange, 0, period, TimeUnit.MILLISECONDS);
  }

  private void exchange() {
    try {
      rows.tell(process, roles.all(), counts.totals());
      counts.hear(rows.others(process));
      failing = false;
    } catch (RuntimeException failure) {
      ScheduledExecutorService running = thread;
      if (!failing && running != null && !running.isShutdown()) {
        LOG.warn(
            "Other processes are not told what is used of limits; each counts for itself: {}",
            failure.toString());
      }
      failing = true;
    }
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdownNow();
    thread = null;
    try {
      rows.leave(process);
    } catch (RuntimeException failure) {
      LOG.debug("Others wait some seconds to see that this process has ended", failure);
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}

package io.tidemark.platform.deletion;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
 * Begins and advances removals while the application runs, and has Druid delete files of segments
 * that removals, or its own compaction, have replaced.
 */
@Component
@ConditionalOnRole(value = ProcessRole.CONTROL, orInSecondRegion = true)
class DeletionLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(DeletionLoop.class);

  private static final Duration FILES_EVERY = Duration.ofHours(1);

  private final RegionDeletions region;
  private final DeletionExecutor advancing;
  private final DeletionProperties properties;
  private final DeletableRows stored;
  private final DatasourcePlacements placements;
  private final Clock clock;
  private final BackgroundLoop loop;
  private Instant nextDeletion = Instant.MIN;
  private @Nullable ScheduledExecutorService thread;

  DeletionLoop(
      RegionDeletions region,
      DeletionExecutor advancing,
      DeletionProperties properties,
      DeletableRows stored,
      DatasourcePlacements placements,
      Clock clock,
      BackgroundLoops loops) {
    this.region = region;
    this.advancing = advancing;
    this.properties = properties;
    this.stored = stored;
    this.placements = placements;
    this.clock = clock;
    this.loop = loops.loop("removals", properties.step());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "removals"));
    long step = properties.step().toMillis();
    var unused = thread.scheduleWithFixedDelay(this::pass, step, step, TimeUnit.MILLISECONDS);
  }

  private void pass() {
    boolean isBegun = attempt(region::beginDue);
    boolean isAdvanced = attempt(advancing::advanceAll);
    boolean isDeleted = attempt(this::deleteUnused);
    if (isBegun && isAdvanced && isDeleted) {
      loop.succeeded();
    }
  }

  /** A query that began before a segment was replaced may still read it for some time. */
  private void deleteUnused() {
    Instant now = clock.instant();
    if (!now.isBefore(nextDeletion)) {
      List<String> datasources = DeletionTargets.datasources(placements);
      nextDeletion = now.plus(FILES_EVERY);
      for (String datasource : datasources) {
        stored.deleteUnused(datasource, now.minus(FILES_EVERY));
      }
    }
  }

  private static boolean attempt(Runnable work) {
    try {
      work.run();
      return true;
    } catch (RuntimeException failure) {
      LOG.warn("Data that are to be removed are still there; tried again: {}", failure.toString());
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

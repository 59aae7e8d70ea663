package io.tidemark.platform.replay;

import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Has replays worked on that are due, in a thread of its own. */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class ReplayLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayLoop.class);

  private final ReplayExecutor executor;
  private final ReplayProperties properties;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService thread;
  private volatile boolean isFailing;

  ReplayLoop(ReplayExecutor executor, ReplayProperties properties, BackgroundLoops loops) {
    this.executor = executor;
    this.properties = properties;
    this.loop = loops.loop("dead-letter-replay", properties.period());
  }

  @Override
  public synchronized void start() {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread made = new Thread(work, "dead-letter-replay");
              made.setDaemon(true);
              return made;
            });
    long period = properties.period().toMillis();
    var unused = thread.scheduleWithFixedDelay(this::pass, period, period, TimeUnit.MILLISECONDS);
  }

  private void pass() {
    try {
      executor.advanceAll(loop::succeeded);
      loop.succeeded();
      isFailing = false;
    } catch (RuntimeException failure) {
      if (!isFailing) {
        LOG.warn("Replays of dead letters stand still; tried again: {}", failure.toString());
      }
      isFailing = true;
    }
  }

  /** What a replay has not committed is undone by Kafka; another instance goes on with it. */
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

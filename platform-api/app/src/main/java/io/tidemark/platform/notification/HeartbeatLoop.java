package io.tidemark.platform.notification;

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

/** Looks for heartbeats whose time has come. */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class HeartbeatLoop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatLoop.class);

  private final Heartbeats heartbeats;
  private final NotificationProperties properties;
  private final BackgroundLoop loop;
  private @Nullable ScheduledExecutorService looks;
  private volatile boolean isFailing;

  HeartbeatLoop(Heartbeats heartbeats, NotificationProperties properties, BackgroundLoops loops) {
    this.heartbeats = heartbeats;
    this.properties = properties;
    this.loop = loops.loop("heartbeat", properties.heartbeatPeriod());
  }

  @Override
  public synchronized void start() {
    looks = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "heartbeat"));
    long period = properties.heartbeatPeriod().toMillis();
    var unused = looks.scheduleWithFixedDelay(this::pass, period, period, TimeUnit.MILLISECONDS);
  }

  private void pass() {
    try {
      heartbeats.pass();
      isFailing = false;
      loop.succeeded();
    } catch (RuntimeException failure) {
      if (!isFailing && !Objects.requireNonNull(looks).isShutdown()) {
        LOG.warn(
            "Heartbeats cannot be sent, as whoever waits for them notices: {}", failure.toString());
      }
      isFailing = true;
    }
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(looks).shutdownNow();
    looks = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return looks != null;
  }
}

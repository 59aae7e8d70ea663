package io.tidemark.platform.signin;

import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * While a secret of the installation is replaced, seals with the present one what was sealed with
 * another: at the start and every minute, since other processes may still have the other as the
 * present one. Any number of processes may do so at once.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class SecretRenewal implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(SecretRenewal.class);
  private static final long PERIOD_SECONDS = 60;

  private final List<SealedSecrets> all;
  private @Nullable ScheduledExecutorService thread;

  SecretRenewal(List<SealedSecrets> all) {
    this.all = all.stream().filter(SealedSecrets::acceptsOthers).toList();
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "secret-renewal"));
    if (!all.isEmpty()) {
      var unused =
          thread.scheduleWithFixedDelay(this::renewAll, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void renewAll() {
    for (SealedSecrets one : all) {
      try {
        int renewed = one.renew();
        if (renewed > 0) {
          LOG.info("{} {} are sealed with the present secret now", renewed, one.what());
        }
      } catch (RuntimeException failure) {
        LOG.warn(
            "Not all {} are sealed with the present secret yet; tried again: {}",
            one.what(),
            failure.toString());
      }
    }
  }

  @Override
  public synchronized void stop() {
    if (thread != null) {
      thread.shutdownNow();
      thread = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}

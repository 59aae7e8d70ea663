package io.tidemark.platform.signin.web;

import io.tidemark.platform.access.AuthFailureReportInterval;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.ConditionalOnSignIn;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Counts sign-ins that failed on their way back from the provider and writes them to the platform's
 * audit log once a minute, together: nobody is known who could be named, and a flood fills no log.
 */
@Component
@ConditionalOnSignIn
public final class SignInFailureRecorder implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(SignInFailureRecorder.class);
  private static final int MAX_ADDRESSES = 5;

  private final AuditLog audit;
  private final Clock clock;
  private final AuthFailureReportInterval interval;
  private final TreeSet<String> addresses = new TreeSet<>();
  private long attempts;
  private Instant since = Instant.EPOCH;
  private @Nullable ScheduledExecutorService thread;

  SignInFailureRecorder(AuditLog audit, Clock clock, AuthFailureReportInterval interval) {
    this.audit = audit;
    this.clock = clock;
    this.interval = interval;
  }

  synchronized void failed(String address) {
    if (attempts++ == 0) {
      since = clock.instant();
    }
    if (addresses.size() < MAX_ADDRESSES) {
      addresses.add(address);
    }
  }

  /** Writes what was counted since the last time. */
  public void write() {
    Map<String, Object> told = new TreeMap<>();
    synchronized (this) {
      if (attempts == 0) {
        return;
      }
      told.put("attempts", attempts);
      told.put("since", since.toString());
      told.put("addresses", new TreeSet<>(addresses));
      attempts = 0;
      addresses.clear();
    }
    try {
      audit.refused(
          TenantId.PLATFORM,
          Actor.system("sign-in"),
          "person.sign_in",
          "person",
          "(unknown)",
          ErrorCode.UNAUTHENTICATED,
          told);
    } catch (RuntimeException failure) {
      LOG.error("Failed sign-ins are not in the audit log: {} {}", told, failure.toString());
    }
  }

  @Override
  public synchronized void start() {
    thread =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "failed-sign-ins"));
    long seconds = interval.authFailureReportInterval().toSeconds();
    var unused = thread.scheduleWithFixedDelay(this::write, seconds, seconds, TimeUnit.SECONDS);
  }

  @Override
  public void stop() {
    ScheduledExecutorService running;
    synchronized (this) {
      running = thread;
      thread = null;
    }
    Objects.requireNonNull(running).shutdownNow();
    write();
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}

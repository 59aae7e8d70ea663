package io.tidemark.platform.access.web;

import io.tidemark.platform.access.AuthFailureReportInterval;
import io.tidemark.platform.access.application.AuthFailureListener;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Counts refused credentials and writes them to audit logs once a minute: of a key that exists to
 * the log of its organisation, of others, together, to the platform's. So every attempt is counted,
 * and a flood fills no log: in a minute at most one entry for each of twenty keys, and one for all
 * others.
 */
@Component
class AuthFailureRecorder implements AuthFailureListener, SmartLifecycle {

  static final String ACTION = "api_key.authenticate";
  static final String OF_NOBODY = "(no such key)";

  private static final Logger LOG = LoggerFactory.getLogger(AuthFailureRecorder.class);
  private static final int MAX_KEYS = 20;
  private static final int MAX_ADDRESSES = 5;

  private record Key(TenantId organization, @Nullable String id) {}

  private static final class Attempts {
    private final Instant since;
    private final TreeSet<String> addresses = new TreeSet<>();
    private long number;

    Attempts(Instant since) {
      this.since = since;
    }
  }

  private final AuditLog audit;
  private final Clock clock;
  private final AuthFailureReportInterval period;
  private Map<Key, Attempts> noted = new HashMap<>();
  private @Nullable ScheduledExecutorService thread;

  AuthFailureRecorder(AuditLog audit, Clock clock, AuthFailureReportInterval period) {
    this.audit = audit;
    this.clock = clock;
    this.period = period;
  }

  @Override
  public void refused(@Nullable TenantId organization, @Nullable String keyId) {
    String address = address();
    Key key =
        organization == null ? new Key(TenantId.PLATFORM, OF_NOBODY) : new Key(organization, keyId);
    synchronized (this) {
      // Keys that exist are few; those that do not are one.
      Attempts attempts = noted.computeIfAbsent(key, first -> new Attempts(clock.instant()));
      attempts.number++;
      if (address != null && attempts.addresses.size() < MAX_ADDRESSES) {
        attempts.addresses.add(address);
      }
    }
  }

  /** Null behind gRPC. */
  private static @Nullable String address() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current
        ? current.getRequest().getRemoteAddr()
        : null;
  }

  /** Writes what was noted since the last time. */
  void write() {
    Map<Key, Attempts> taken;
    synchronized (this) {
      taken = noted;
      noted = new HashMap<>();
    }
    List<Map.Entry<Key, Attempts>> most = new ArrayList<>(taken.entrySet());
    most.sort(Comparator.comparing((Map.Entry<Key, Attempts> entry) -> -entry.getValue().number));
    Attempts others = new Attempts(clock.instant());
    for (int i = 0; i < most.size(); i++) {
      if (i < MAX_KEYS) {
        write(most.get(i).getKey(), most.get(i).getValue());
      } else {
        others.number += most.get(i).getValue().number;
      }
    }
    if (others.number > 0) {
      write(new Key(TenantId.PLATFORM, "(other keys)"), others);
    }
  }

  private void write(Key key, Attempts attempts) {
    Map<String, Object> told = new TreeMap<>();
    told.put("attempts", attempts.number);
    told.put("since", attempts.since.toString());
    told.put("addresses", attempts.addresses);
    try {
      audit.refused(
          key.organization(),
          Actor.system("authentication"),
          ACTION,
          "api_key",
          key.id(),
          ErrorCode.UNAUTHENTICATED,
          told);
    } catch (RuntimeException failure) {
      LOG.error(
          "{} refused attempts with {} are not in the audit log: {}",
          attempts.number,
          key,
          failure.toString());
    }
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "noted-refusals"));
    long seconds = period.authFailureReportInterval().toSeconds();
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

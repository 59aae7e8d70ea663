package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.application.ApiKeyRepository;
import io.tidemark.platform.access.application.ApiKeyUsageListener;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Notes uses in memory and writes them every ten seconds, to the minute: a key in constant use
 * costs one write a minute. A crash forgets what was not written yet.
 */
@Component
class ApiKeyUsageRecorder implements ApiKeyUsageListener, SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(ApiKeyUsageRecorder.class);
  private static final long PERIOD_SECONDS = 10;
  private static final int MAX_KEYS = 100_000;

  private record Key(TenantId organization, String id) {}

  @SuppressWarnings("ArrayRecordComponent") // compared as the one that was noted
  private record Hashes(byte[] before, byte[] present) {}

  private final ApiKeyRepository keys;
  private final TenantTransactions transactions;
  private final Clock clock;
  private final Map<Key, Instant> noted = new ConcurrentHashMap<>();
  private final Map<Key, Instant> written = new ConcurrentHashMap<>();
  private final Map<Key, Hashes> outdated = new ConcurrentHashMap<>();
  private @Nullable ScheduledExecutorService thread;

  ApiKeyUsageRecorder(ApiKeyRepository keys, TenantTransactions transactions, Clock clock) {
    this.keys = keys;
    this.transactions = transactions;
    this.clock = clock;
  }

  @Override
  public void used(TenantId organization, String keyId) {
    Instant minute = clock.instant().truncatedTo(ChronoUnit.MINUTES);
    Key key = new Key(organization, keyId);
    if (!minute.equals(written.get(key))) {
      noted.put(key, minute);
    }
  }

  @Override
  public void outdated(TenantId organization, String keyId, byte[] before, byte[] present) {
    outdated.put(new Key(organization, keyId), new Hashes(before, present));
  }

  /** Writes what was noted since the last time. */
  void write() {
    outdated.forEach(
        (key, hashes) -> {
          transactions.run(
              key.organization(),
              () -> keys.rehash(key.organization(), key.id(), hashes.before(), hashes.present()));
          outdated.remove(key, hashes);
        });
    if (written.size() > MAX_KEYS) {
      written.clear();
    }
    noted.forEach(
        (key, minute) -> {
          transactions.run(
              key.organization(), () -> keys.used(key.organization(), key.id(), minute));
          written.put(key, minute);
          noted.remove(key, minute);
        });
  }

  private void tryToWrite() {
    try {
      write();
    } catch (RuntimeException failure) {
      LOG.warn("When keys were last used is not written yet; tried again: {}", failure.toString());
    }
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "noted-uses"));
    var unused =
        thread.scheduleWithFixedDelay(
            this::tryToWrite, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdownNow();
    thread = null;
    tryToWrite();
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}

package io.tidemark.platform.usage;

import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.usage.JdbcUsageTallies.HourUnits;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Service;

/**
 * Counts what tenants use of this platform, each use once. A use that is a transaction is counted
 * in it. One that is not, such as a query, waits until its count is stored: callers of the same
 * moment wait for one transaction together. A process that is killed has stored what it answered.
 */
@Service
public class UsageTally implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(UsageTally.class);

  private static final String SAMPLE = "sample";

  /** An answer waits no longer; its count is stored as soon as the database is there again. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(500);

  /** Subjects that wait for a database that is away; more are counted without their subject. */
  private static final int MAX_WAITING = 100_000;

  private final TenantTransactions transactions;
  private final JdbcUsageTallies rows;
  private final Clock clock;
  private final String process;

  private final Object lock = new Object();
  private Portion next = new Portion();
  private @Nullable Thread thread;
  private boolean isStopping;
  private volatile boolean isAway;

  UsageTally(
      TenantTransactions transactions,
      JdbcUsageTallies rows,
      IdentifierSource identifiers,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.clock = clock;
    this.process = identifiers.next();
  }

  private record TallyKey(Instant hour, UsedUnits.Subject subject) {}

  /** What is stored together, and who waits for it. */
  private static final class Portion {
    private final Map<TenantId, Map<TallyKey, BigDecimal>> units = new LinkedHashMap<>();
    private final CompletableFuture<Void> stored = new CompletableFuture<>();

    boolean isEmpty() {
      return units.isEmpty();
    }

    void add(TenantId organization, Instant hour, UsedUnits used) {
      Map<TallyKey, BigDecimal> ofTenant =
          units.computeIfAbsent(organization, unknown -> new LinkedHashMap<>());
      TallyKey place = new TallyKey(hour, used.subject());
      if (ofTenant.size() >= MAX_WAITING && !ofTenant.containsKey(place)) {
        place = new TallyKey(hour, new UsedUnits.Subject("", "", "", "", used.meter()));
      }
      ofTenant.merge(place, used.units(), BigDecimal::add);
    }
  }

  /** Counts in the running transaction of the organisation: exactly when it commits. */
  public void addWithin(TenantId organization, List<UsedUnits> used) {
    Portion portion = new Portion();
    add(portion, organization, used);
    if (!portion.isEmpty()) {
      rows.add(
          organization, process, 0, list(Objects.requireNonNull(portion.units.get(organization))));
    }
  }

  /** Counts, and returns when the count is stored, or a little later while the database is away. */
  public void add(TenantId organization, List<UsedUnits> used) {
    CompletableFuture<Void> stored;
    synchronized (lock) {
      add(next, organization, used);
      stored = next.stored;
      if (next.isEmpty()) {
        return;
      }
      lock.notifyAll();
    }
    if (isAway) {
      return;
    }
    try {
      stored.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException late) {
      isAway = true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts without waiting; stored at the latest with what is counted after it. */
  public void addSoon(TenantId organization, List<UsedUnits> used) {
    synchronized (lock) {
      add(next, organization, used);
      lock.notifyAll();
    }
  }

  private void add(Portion portion, TenantId organization, List<UsedUnits> used) {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    for (UsedUnits one : used) {
      if (one.units().signum() > 0) {
        portion.add(organization, hour, one);
      }
    }
  }

  private static List<HourUnits> list(Map<TallyKey, BigDecimal> units) {
    List<HourUnits> list = new ArrayList<>();
    units.forEach(
        (place, sum) -> {
          UsedUnits.Subject subject = place.subject();
          list.add(
              new HourUnits(
                  place.hour(),
                  new UsedUnits(
                      subject.environment(),
                      subject.resourceType(),
                      subject.resourceId(),
                      subject.metric(),
                      subject.meter(),
                      sum)));
        });
    return list;
  }

  /**
   * Stores what was measured in an hour, unless somebody measured it before.
   *
   * @param meter that all of it is of
   */
  public void sample(TenantId organization, Instant hour, String meter, List<UsedUnits> used) {
    List<HourUnits> units =
        used.stream()
            .filter(one -> one.units().signum() > 0)
            .map(one -> new HourUnits(hour, one))
            .toList();
    if (units.isEmpty()) {
      return;
    }
    transactions.run(
        organization,
        () -> {
          rows.lockSample(organization, hour);
          if (!rows.has(organization, SAMPLE, hour, meter)) {
            rows.addIfMissing(organization, SAMPLE, units);
          }
        });
  }

  /**
   * Tallies that the ledger is to have, kept from others until the running transaction ends.
   *
   * @param overBefore hours that began before it are over
   * @param enteredBefore of running hours, those of which nothing was entered since
   */
  public List<OpenTally> lockOpen(
      TenantId organization, Instant overBefore, Instant enteredBefore, int most) {
    return rows.lockOpen(organization, overBefore, enteredBefore, most);
  }

  /** The ledger has these; in the transaction that locked them. */
  public void enter(TenantId organization, List<OpenTally> tallies) {
    Instant now = clock.instant();
    tallies.forEach(tally -> rows.enter(organization, tally, now));
  }

  /** Forgets tallies of earlier hours that the ledger has. */
  public void forget(TenantId organization, Instant before) {
    rows.forget(organization, before);
  }

  @Override
  public void start() {
    synchronized (lock) {
      isStopping = false;
      thread = new Thread(this::store, "usage-tally");
      thread.start();
    }
  }

  private void store() {
    long number = 0;
    while (true) {
      Portion portion;
      synchronized (lock) {
        while (next.isEmpty() && !isStopping) {
          try {
            lock.wait();
          } catch (InterruptedException interrupted) {
            return;
          }
        }
        if (next.isEmpty()) {
          return;
        }
        portion = next;
        next = new Portion();
      }
      store(portion, ++number);
    }
  }

  /** The same portion again until each organisation has it; a second time changes nothing. */
  private void store(Portion portion, long number) {
    while (!portion.units.isEmpty()) {
      RuntimeException away = null;
      for (TenantId organization : List.copyOf(portion.units.keySet())) {
        try {
          List<HourUnits> units = list(Objects.requireNonNull(portion.units.get(organization)));
          transactions.run(organization, () -> rows.add(organization, process, number, units));
          portion.units.remove(organization);
        } catch (RuntimeException failure) {
          away = failure;
        }
      }
      if (away != null && isStopped()) {
        LOG.error("Usage of {} is not counted.", portion.units.keySet(), away);
        portion.stored.completeExceptionally(away);
        return;
      }
      if (away != null) {
        LOG.warn("Usage cannot be counted now; tried again: {}", away.toString());
        pause();
      }
    }
    isAway = false;
    portion.stored.complete(null);
  }

  private boolean isStopped() {
    synchronized (lock) {
      return isStopping;
    }
  }

  private void pause() {
    synchronized (lock) {
      long until = System.nanoTime() + BETWEEN_ATTEMPTS.toNanos();
      while (!isStopping && System.nanoTime() < until) {
        try {
          lock.wait(Math.max(1, (until - System.nanoTime()) / 1_000_000));
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  @Override
  public void stop() {
    Thread stopped;
    synchronized (lock) {
      isStopping = true;
      stopped = thread;
      thread = null;
      lock.notifyAll();
    }
    if (stopped != null) {
      try {
        stopped.join(PATIENCE.toMillis());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Before what serves, and after it at the end. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public boolean isRunning() {
    synchronized (lock) {
      return thread != null;
    }
  }
}

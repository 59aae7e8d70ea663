package io.tidemark.platform.billing;

import io.tidemark.platform.loops.BackgroundLoop;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.metricstore.CrossTenantStoreSizes;
import io.tidemark.platform.metricstore.CrossTenantStoreSizes.StoredSize;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.usage.UsageTally;
import io.tidemark.platform.usage.UsedUnits;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
 * Measures once an hour what every tenant has in the stores. The first process that has measured an
 * hour has it; an hour in which no store answered is not billed.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
public class StorageSampler implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(StorageSampler.class);

  private final List<CrossTenantStoreSizes> stores;
  private final UsageTally tally;
  private final BillingProperties properties;
  private final Clock clock;
  private final BackgroundLoop loop;
  private final Map<String, Instant> sampled = new ConcurrentHashMap<>();
  private @Nullable ScheduledExecutorService thread;

  StorageSampler(
      List<CrossTenantStoreSizes> stores,
      UsageTally tally,
      BillingProperties properties,
      Clock clock,
      BackgroundLoops loops) {
    this.stores = List.copyOf(stores);
    this.tally = tally;
    this.properties = properties;
    this.clock = clock;
    this.loop = loops.loop("storage-sizes", properties.samplingPeriod());
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "storage-sizes"));
    long period = properties.samplingPeriod().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::attempt, period, period, TimeUnit.MILLISECONDS);
  }

  private void attempt() {
    boolean isWhole = true;
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    for (CrossTenantStoreSizes store : stores) {
      if (!hour.equals(sampled.get(store.meter()))) {
        try {
          sample(store, hour);
          sampled.put(store.meter(), hour);
        } catch (RuntimeException away) {
          LOG.warn("{} cannot be measured; tried again: {}", store.meter(), away.toString());
          isWhole = false;
        }
      }
    }
    if (isWhole) {
      loop.succeeded();
    }
  }

  /** Measures the running hour of a store. */
  void sample(CrossTenantStoreSizes store, Instant hour) {
    Map<TenantId, List<UsedUnits>> byTenant = new LinkedHashMap<>();
    for (StoredSize size : store.sizes()) {
      byTenant
          .computeIfAbsent(size.organization(), unknown -> new ArrayList<>())
          .add(
              new UsedUnits(
                  size.environment(), "store", size.level(), "", store.meter(), size.bytes()));
    }
    byTenant.forEach((tenant, used) -> tally.sample(tenant, hour, store.meter(), used));
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

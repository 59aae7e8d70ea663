package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.completeness.PlacedOffsets;
import io.tidemark.platform.druid.DatasourcePlacement;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What Druid has of organisations with datasources of their own: both the shared datasources and
 * the own ones must have read a row's topic, since a row is in either. One thread asks.
 */
final class PlacedProgress {

  private final PlacedOffsets placed;
  private final Duration believed;
  private final LongSupplier nanoseconds;
  private final Map<DatasourcePlacement, StoreProgress> stores = new ConcurrentHashMap<>();

  /**
   * Nothing was asked yet.
   *
   * @param believed for how long what they said counts while they say nothing else
   */
  PlacedProgress(PlacedOffsets placed, Duration believed, LongSupplier nanoseconds) {
    this.placed = placed;
    this.believed = believed;
    this.nanoseconds = nanoseconds;
  }

  /** Has each asked; while it is not known who has some, those that are known. */
  void ask(Consumer<StoreProgress> asking) {
    try {
      for (DatasourcePlacement placement : placed.placements().all()) {
        stores.computeIfAbsent(
            placement,
            own ->
                new StoreProgress(placed.offsets().apply(own), Optional.of(believed), nanoseconds));
      }
    } catch (ProblemException away) {
      // Of nobody can more be said than before.
    }
    stores.values().forEach(asking);
  }

  void saysNothing() {
    stores.values().forEach(StoreProgress::saysNothing);
  }

  /**
   * Everything of an organisation that ends at or before this time can be read; empty while that is
   * not known.
   *
   * @param shared the same of the shared datasources
   */
  Optional<Instant> completeUntil(TenantId organization, Optional<Instant> shared) {
    if (shared.isEmpty()) {
      return shared;
    }
    Optional<DatasourcePlacement> placement;
    try {
      placement = placed.placements().of(organization);
    } catch (ProblemException away) {
      return Optional.empty();
    }
    if (placement.isEmpty()) {
      return shared;
    }
    Optional<Instant> own =
        Optional.ofNullable(stores.get(placement.get()))
            .flatMap(store -> store.completeUntil(organization));
    return Optional.of(earliest(shared.get(), placement.get().from(), own));
  }

  /**
   * What all datasources have of everybody who is not behind, in Unix milliseconds, exclusive;
   * {@link Long#MIN_VALUE} while that is not known.
   *
   * @param shared the same of the shared datasources
   */
  long confirmedUntil(long shared) {
    if (shared == Long.MIN_VALUE) {
      return shared;
    }
    Instant until = Instant.ofEpochMilli(shared);
    try {
      for (DatasourcePlacement placement : placed.placements().all()) {
        Optional<Instant> own =
            Optional.ofNullable(stores.get(placement))
                .map(StoreProgress::confirmedUntil)
                .filter(time -> time != Long.MIN_VALUE)
                .map(Instant::ofEpochMilli);
        until = earliest(until, placement.from(), own);
      }
    } catch (ProblemException away) {
      return Long.MIN_VALUE;
    }
    return until.toEpochMilli();
  }

  /** Rows of before a placement are in the shared datasources alone. */
  static Instant earliest(Instant shared, Instant from, Optional<Instant> own) {
    if (!shared.isAfter(from)) {
      return shared;
    }
    Instant both = own.filter(from::isBefore).orElse(from);
    return both.isBefore(shared) ? both : shared;
  }
}

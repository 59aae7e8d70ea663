package io.tidemark.platform.access.caffeine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CachingApiKeyLookupTest {

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final RowChanges changes = new RowChanges();

  @Test
  void asksOnceUntilHalfTheTimeIsOverAlsoForUnknownKeys() {
    CachingApiKeyLookup keys =
        new CachingApiKeyLookup(
            id -> {
              asked.incrementAndGet();
              return Optional.empty();
            },
            changes,
            Duration.ofSeconds(5),
            Duration.ZERO,
            nanos::get);
    keys.find("A");
    nanos.set(Duration.ofMillis(2_499).toNanos());
    keys.find("A");
    assertThat(asked).hasValue(1);
    nanos.set(Duration.ofMillis(5_001).toNanos());
    keys.find("A");
    assertThat(asked).hasValue(2);
  }

  @Test
  void aFailureIsNotRemembered() {
    CachingApiKeyLookup keys =
        new CachingApiKeyLookup(
            id -> {
              if (asked.incrementAndGet() == 1) {
                throw ProblemException.of(ErrorCode.CONTROL_PLANE_UNAVAILABLE, "away");
              }
              return Optional.empty();
            },
            changes,
            Duration.ofSeconds(5),
            Duration.ZERO,
            nanos::get);
    assertThatThrownBy(() -> keys.find("A")).isInstanceOf(ProblemException.class);
    assertThat(keys.find("A")).isEmpty();
  }

  private static StoredKey key(boolean revoked) {
    return new StoredKey(
        "A",
        new TenantId("org-a"),
        new EnvironmentId("env-a"),
        new byte[32],
        Set.of(),
        revoked,
        null);
  }

  /** The database is away while nothing is stored. */
  private CachingApiKeyLookup forTwoMinutesWithoutTheDatabase(AtomicReference<StoredKey> stored) {
    return new CachingApiKeyLookup(
        id -> {
          if (stored.get() == null) {
            throw ProblemException.of(ErrorCode.CONTROL_PLANE_UNAVAILABLE, "away");
          }
          return Optional.of(stored.get());
        },
        changes,
        Duration.ofSeconds(5),
        Duration.ofMinutes(2),
        nanos::get);
  }

  /** As in a failover of the database. */
  @Test
  void aGoodKeyStaysGoodForABoundedTimeWithoutTheDatabase() {
    AtomicReference<StoredKey> stored = new AtomicReference<>(key(false));
    CachingApiKeyLookup keys = forTwoMinutesWithoutTheDatabase(stored);
    assertThat(keys.find("A")).isPresent();
    stored.set(null);
    nanos.set(Duration.ofSeconds(110).toNanos());
    assertThat(keys.find("A")).isPresent();
    assertThatThrownBy(() -> keys.find("B")).isInstanceOf(ProblemException.class);
    nanos.set(Duration.ofSeconds(121).toNanos());
    assertThatThrownBy(() -> keys.find("A")).isInstanceOf(ProblemException.class);

    stored.set(key(false));
    assertThat(keys.find("A")).isPresent();
    stored.set(key(true));
    nanos.set(Duration.ofSeconds(130).toNanos());
    assertThat(keys.find("A")).hasValueSatisfying(known -> assertThat(known.revoked()).isTrue());
    stored.set(null);
    nanos.set(Duration.ofSeconds(140).toNanos());
    assertThatThrownBy(() -> keys.find("A"))
        .as("it was revoked")
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void aChangeThatIsHeardOfTakesEffectAtOnce() {
    AtomicReference<Optional<StoredKey>> stored = new AtomicReference<>(Optional.empty());
    CachingApiKeyLookup keys =
        new CachingApiKeyLookup(
            id -> {
              asked.incrementAndGet();
              return stored.get();
            },
            changes,
            Duration.ofSeconds(5),
            Duration.ofMinutes(2),
            nanos::get);
    assertThat(keys.find("A")).isEmpty();
    stored.set(Optional.of(key(false)));
    assertThat(keys.find("A")).isEmpty();
    changes.changed("api_key A");
    assertThat(keys.find("A")).isPresent();

    stored.set(Optional.of(key(true)));
    changes.changed("api_key B");
    changes.changed("organization org-b");
    assertThat(keys.find("A")).hasValueSatisfying(found -> assertThat(found.revoked()).isFalse());
    changes.changed("organization org-a");
    assertThat(keys.find("A")).hasValueSatisfying(found -> assertThat(found.revoked()).isTrue());
    keys.find("A");
    assertThat(asked).hasValue(3);
  }

  @Test
  void aKeyWhoseChangeWasHeardOfIsNotGoodWithoutTheDatabaseButALostConnectionChangesNone() {
    AtomicReference<StoredKey> stored = new AtomicReference<>(key(false));
    CachingApiKeyLookup keys = forTwoMinutesWithoutTheDatabase(stored);
    assertThat(keys.find("A")).isPresent();
    stored.set(null);
    changes.everythingMayHaveChanged();
    assertThat(keys.find("A")).isPresent();
    changes.changed("api_key A");
    assertThatThrownBy(() -> keys.find("A")).isInstanceOf(ProblemException.class);
  }
}

package io.tidemark.platform.access.caffeine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CachingApiKeyLookupTest {

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void asksOnceUntilTheTimeIsOverAlsoForUnknownKeys() {
    CachingApiKeyLookup keys =
        new CachingApiKeyLookup(
            id -> {
              asked.incrementAndGet();
              return Optional.empty();
            },
            Duration.ofSeconds(5),
            nanos::get);
    keys.find("A");
    nanos.set(Duration.ofMillis(4_999).toNanos());
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
            Duration.ofSeconds(5),
            nanos::get);
    assertThatThrownBy(() -> keys.find("A")).isInstanceOf(ProblemException.class);
    assertThat(keys.find("A")).isEmpty();
  }
}

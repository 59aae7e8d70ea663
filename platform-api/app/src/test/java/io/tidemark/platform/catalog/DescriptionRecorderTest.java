package io.tidemark.platform.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class DescriptionRecorderTest {

  private static final TenantId ORGANIZATION = new TenantId("org-a");
  private static final EnvironmentId ENVIRONMENT = new EnvironmentId("env-a");

  private final Set<String> seen = new HashSet<>(Set.of("orders"));
  private final List<String> written = new ArrayList<>();
  private boolean isAway;
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final InstantSource time = () -> now;
  private final TenantTransactions transactions =
      new TenantTransactions() {
        @Override
        public <T> T within(TenantId organization, Supplier<T> work) {
          if (isAway) {
            throw new IllegalStateException("the database is away, as the test wants it");
          }
          return work.get();
        }
      };
  private final DescriptionRecorder recorder =
      new DescriptionRecorder(
          transactions,
          (organization, environment, name, description) -> {
            written.add(name + ": " + description);
            return seen.contains(name);
          },
          time.withZone(ZoneOffset.UTC));

  private void send(String name, String description) {
    recorder.sent(ORGANIZATION, ENVIRONMENT, Map.of(name, description));
    recorder.write();
  }

  private void pass(Duration duration) {
    now = now.plus(duration);
  }

  @Test
  void aDescriptionThatComesWithEveryBatchIsWrittenOnce() {
    for (int i = 0; i < 100; i++) {
      send("orders", "Orders taken.");
      pass(Duration.ofSeconds(20));
    }
    assertThat(written).containsExactly("orders: Orders taken.");
  }

  @Test
  void sendersThatContradictEachOtherWriteOnceInTenMinutes() {
    for (int i = 0; i < 60; i++) {
      send("orders", i % 2 == 0 ? "One." : "Other.");
      pass(Duration.ofSeconds(10));
    }
    send("orders", "Other.");
    assertThat(written).containsExactly("orders: One.", "orders: Other.");
  }

  @Test
  void aMetricThatIsNotSeenYetIsWrittenWhenItComesAgain() {
    send("new", "News.");
    send("new", "News.");
    assertThat(written).hasSize(1);
    seen.add("new");
    pass(DescriptionRecorder.AGAIN_UNSEEN);
    send("new", "News.");
    pass(DescriptionRecorder.AGAIN_UNSEEN);
    send("new", "News.");
    assertThat(written).hasSize(2);
  }

  @Test
  void withoutTheDatabaseItIsWrittenWhenItComesAgain() {
    isAway = true;
    send("orders", "Orders taken.");
    isAway = false;
    pass(DescriptionRecorder.AGAIN_UNSEEN);
    send("orders", "Orders taken.");
    assertThat(written).hasSize(1);
  }

  @Test
  void aFloodOfNamesIsBoundedAndWrittenInParts() {
    Map<String, String> flood = new HashMap<>();
    for (int i = 0; i < 2 * DescriptionRecorder.MAX_WAITING; i++) {
      flood.put("m" + i, "x");
    }
    recorder.sent(ORGANIZATION, ENVIRONMENT, flood);
    recorder.write();
    assertThat(written).hasSize(DescriptionRecorder.AT_A_TIME);
    for (int i = 0; i < 100; i++) {
      recorder.write();
    }
    assertThat(written).hasSize(DescriptionRecorder.MAX_WAITING);
  }

  @Test
  void aDescriptionIsOneLineOfABoundedLength() {
    assertThat(DescriptionRecorder.plain(" Orders\n\ttaken\u0000. ")).isEqualTo("Orders taken .");
    String cut = DescriptionRecorder.plain("x".repeat(1_023) + "\uD83D\uDE00 and more");
    assertThat(cut).isEqualTo("x".repeat(1_023));
    assertThat(DescriptionRecorder.plain("é".repeat(5_000))).hasSize(1_024);
  }
}

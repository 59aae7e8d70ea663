package io.tidemark.platform.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.replicas.SharedCounts.ReportedCounts;
import io.tidemark.platform.shared.ProcessRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedCountsTest {

  private static final Set<ProcessRole> QUERY = Set.of(ProcessRole.QUERY);

  private final SharedCounts one = new SharedCounts();
  private final SharedCounts other = new SharedCounts();
  private final Map<String, Long> heard = new HashMap<>();
  private final SharedCounts.Count count = one.open("points", (holder, amount) -> {});

  SharedCountsTest() {
    other.open("points", (holder, amount) -> heard.merge(holder, amount, Long::sum));
    exchange();
  }

  private void exchange() {
    other.hear(List.of(new ReportedCounts("one", QUERY, one.totals())));
  }

  @Test
  void everyUseIsHeardOnce() {
    count.used("org-a", 5);
    count.used("org-a", 2);
    count.used("org-b", 1);
    exchange();
    exchange();
    assertThat(heard).isEqualTo(Map.of("org-a", 7L, "org-b", 1L));
    count.used("org-a", 3);
    exchange();
    assertThat(heard).containsEntry("org-a", 10L);
  }

  @Test
  void aLookThatWasMissedLosesNothing() {
    count.used("org-a", 5);
    one.totals();
    count.used("org-a", 2);
    exchange();
    assertThat(heard).containsEntry("org-a", 7L);
  }

  @Test
  void whatAProcessCountedBeforeItWasMetIsNotCharged() {
    count.used("org-a", 1_000_000);
    SharedCounts late = new SharedCounts();
    late.open("points", (holder, amount) -> heard.merge(holder, amount, Long::sum));
    late.hear(List.of(new ReportedCounts("one", QUERY, one.totals())));
    assertThat(heard).isEmpty();
  }

  @Test
  void whoWasSilentForLongBeginsAgainAtNothing() {
    count.used("org-a", 1_000_000);
    exchange();
    for (int round = 0; round < SharedCounts.ROUNDS_REMEMBERED; round++) {
      exchange();
    }
    assertThat(one.totals()).isEmpty();
    count.used("org-a", 3);
    exchange();
    assertThat(heard).containsEntry("org-a", 1_000_003L);
  }

  @Test
  void processesAreCountedByRoleWhileTheyTell() {
    assertThat(other.processesWith(ProcessRole.QUERY)).isEqualTo(2);
    assertThat(other.processesWith(ProcessRole.INGEST)).isEqualTo(1);
    other.hear(List.of());
    assertThat(other.processesWith(ProcessRole.QUERY)).isEqualTo(1);
  }

  @Test
  void aLimitIsOpenedOnce() {
    assertThatThrownBy(() -> one.open("points", (holder, amount) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("points");
  }
}

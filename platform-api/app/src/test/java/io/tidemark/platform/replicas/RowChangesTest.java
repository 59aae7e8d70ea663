package io.tidemark.platform.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.replicas.RowChanges.Kind;
import org.junit.jupiter.api.Test;

class RowChangesTest {

  private final RowChanges changes = new RowChanges();

  @Test
  void onlyARowThatWasReadBeforeItsChangeHasChanged() {
    long before = changes.count();
    changes.changed("api_key AAAA");
    long after = changes.count();
    assertThat(changes.changedSince(before, Kind.API_KEY, "AAAA")).isTrue();
    assertThat(changes.changedSince(after, Kind.API_KEY, "AAAA")).isFalse();
    assertThat(changes.changedSince(before, Kind.API_KEY, "BBBB")).isFalse();
    assertThat(changes.changedSince(before, Kind.QUOTA, "AAAA")).isFalse();
    changes.changed("organization org-a");
    assertThat(changes.changedSince(after, Kind.ORGANIZATION, "org-a")).isTrue();
    assertThat(changes.changedSince(after, Kind.API_KEY, "AAAA")).isFalse();
  }

  @Test
  void afterAPauseEverythingReadBeforeMayHaveChangedButNothingWasNotified() {
    long before = changes.count();
    changes.everythingMayHaveChanged();
    assertThat(changes.changedSince(before, Kind.QUOTA, "org-a")).isTrue();
    assertThat(changes.notifiedSince(before, Kind.QUOTA, "org-a")).isFalse();
    assertThat(changes.changedSince(changes.count(), Kind.QUOTA, "org-a")).isFalse();
  }

  @Test
  void memoryIsBoundedAndForgetsNoChange() {
    changes.changed("quota org-a");
    long before = changes.count();
    changes.changed("quota org-b");
    for (int i = 0; i < 2 * RowChanges.MAX_NUMBER; i++) {
      changes.changed("quota org-" + i);
    }
    assertThat(changes.changedSince(before, Kind.QUOTA, "org-b")).isTrue();
    assertThat(changes.size()).isLessThanOrEqualTo(RowChanges.MAX_NUMBER);
  }

  @Test
  void whatThisVersionDoesNotKnowIsPassedOver() {
    long before = changes.count();
    changes.changed("something new org-a");
    assertThat(changes.changedSince(before, Kind.QUOTA, "org-a")).isFalse();
  }
}

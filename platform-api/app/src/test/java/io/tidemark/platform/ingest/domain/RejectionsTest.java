package io.tidemark.platform.ingest.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Senders are told everything, in few words. */
class RejectionsTest {

  @Test
  void theMessageNamesEveryReasonAndStaysShort() {
    Rejections rejections = new Rejections();
    for (int i = 0; i < 1_000; i++) {
      for (RejectionReason reason : RejectionReason.values()) {
        rejections.add(reason, 2, i + "x".repeat(100_000));
      }
    }
    assertThat(rejections.message()).hasSizeLessThan(16 * 1024);
    for (RejectionReason reason : RejectionReason.values()) {
      assertThat(rejections.message()).contains(reason + " x2000 (").contains("'0xxx");
    }
  }
}

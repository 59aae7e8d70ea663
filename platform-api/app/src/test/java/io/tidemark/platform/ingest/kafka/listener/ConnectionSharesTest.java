package io.tidemark.platform.ingest.kafka.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.TenantId;
import org.junit.jupiter.api.Test;

class ConnectionSharesTest {

  private static final TenantId LOUD = new TenantId("org-loud");
  private static final TenantId QUIET = new TenantId("org-quiet");

  private final ConnectionShares<Integer> shares = new ConnectionShares<>(8);

  @Test
  void theOldestConnectionOfStrangersMakesRoomForANewOne() {
    assertThat(shares.open(1)).isNull();
    assertThat(shares.open(2)).isNull();
    assertThat(shares.open(3)).isEqualTo(1);
    assertThat(shares.authenticate(2, QUIET)).isTrue();
    assertThat(shares.open(4)).isNull();
    assertThat(shares.open(5)).isEqualTo(3);
  }

  @Test
  void aTenantHasHalf() {
    for (int connection = 0; connection < 4; connection++) {
      assertThat(shares.open(connection)).isNull();
      assertThat(shares.authenticate(connection, LOUD)).isTrue();
    }
    assertThat(shares.open(4)).isNull();
    assertThat(shares.authenticate(4, LOUD)).isFalse();
    assertThat(shares.authenticate(4, QUIET)).isTrue();
    shares.close(0);
    assertThat(shares.authenticate(5, LOUD)).isTrue();
  }
}

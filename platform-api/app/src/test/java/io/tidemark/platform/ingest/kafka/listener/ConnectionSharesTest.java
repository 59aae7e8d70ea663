package io.tidemark.platform.ingest.kafka.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.TenantId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ConnectionSharesTest {

  private static final TenantId LOUD = new TenantId("org-loud");
  private static final TenantId QUIET = new TenantId("org-quiet");

  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final InetAddress THERE = address();

  private static InetAddress address() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private final ConnectionShares<Integer> shares = new ConnectionShares<>(8);

  @Test
  void theOldestConnectionOfStrangersMakesRoomForANewOne() {
    assertThat(shares.open(1, HERE)).isNull();
    assertThat(shares.open(2, HERE)).isNull();
    assertThat(shares.open(3, HERE)).isEqualTo(1);
    assertThat(shares.authenticate(2, QUIET)).isTrue();
    assertThat(shares.open(4, HERE)).isNull();
    assertThat(shares.open(5, HERE)).isEqualTo(3);
  }

  @Test
  void anAddressThatFloodsClosesItsOwn() {
    ConnectionShares<Integer> many = new ConnectionShares<>(16);
    assertThat(many.open(0, THERE)).isNull();
    for (int connection = 1; connection <= 3; connection++) {
      assertThat(many.open(connection, HERE)).isNull();
    }
    for (int connection = 4; connection < 100; connection++) {
      assertThat(many.open(connection, HERE)).isEqualTo(connection - 3);
    }
    assertThat(many.open(100, THERE)).as("of those that have most").isEqualTo(97);
    assertThat(many.authenticate(0, QUIET)).isTrue();
  }

  @Test
  void aTenantHasHalf() {
    for (int connection = 0; connection < 4; connection++) {
      assertThat(shares.open(connection, HERE)).isNull();
      assertThat(shares.authenticate(connection, LOUD)).isTrue();
    }
    assertThat(shares.open(4, HERE)).isNull();
    assertThat(shares.authenticate(4, LOUD)).isFalse();
    assertThat(shares.authenticate(4, QUIET)).isTrue();
    shares.close(0);
    assertThat(shares.authenticate(5, LOUD)).isTrue();
  }
}

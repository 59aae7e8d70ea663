package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPolicyTest {

  private final AddressPolicy policy = AddressPolicy.of(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.1.2.3",
        "172.31.255.255",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "fd00:ec2::254",
        "fe80::1",
        "ff02::1",
        // Other spellings of addresses above.
        "2130706433",
        "127.1"
      })
  void addressesInsideAreRefused(String text) throws Exception {
    assertThat(policy.isAllowed(InetAddress.getByName(text))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700:4700::1111"})
  void publicAddressesAreTakenOnPortsOfTls(String text) throws Exception {
    InetAddress address = InetAddress.getByName(text);

    assertThat(policy.isAllowed(address, 443)).isTrue();
    assertThat(policy.isAllowed(address, 8443)).isTrue();
    assertThat(policy.isAllowed(address, 22)).isFalse();
  }

  @Test
  void anOperatorLetsNetworksThroughAndNothingBesideThem() throws Exception {
    AddressPolicy open = AddressPolicy.of(List.of("10.1.0.0/16"));

    assertThat(open.isAllowed(InetAddress.getByName("10.1.9.9"), 8080)).isTrue();
    assertThat(open.isAllowed(InetAddress.getByName("::ffff:10.1.9.9"), 8080)).isTrue();
    assertThat(open.isAllowed(InetAddress.getByName("10.2.0.1"))).isFalse();
    assertThatThrownBy(() -> AddressPolicy.of(List.of("everything")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

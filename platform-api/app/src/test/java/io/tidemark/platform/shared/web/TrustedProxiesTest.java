package io.tidemark.platform.shared.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrustedProxiesTest {

  private final TrustedProxies proxies =
      new TrustedProxies(List.of("10.0.0.0/8", "192.0.2.1", "fd00::/8"));

  private String client(String peer, String... forwardedFor) {
    return proxies.client(peer, List.of(), List.of(forwardedFor));
  }

  @Test
  void whoIsNoProxyIsTheClientWhateverItSays() {
    assertThat(client("203.0.113.7", "198.51.100.1")).isEqualTo("203.0.113.7");
    assertThat(new TrustedProxies(List.of()).client("10.0.0.1", List.of(), List.of("1.2.3.4")))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void theClientIsTheLastThatNoProxyHas() {
    assertThat(client("10.1.2.3", "198.51.100.1")).isEqualTo("198.51.100.1");
    assertThat(client("10.1.2.3", "6.6.6.6, 198.51.100.1, 192.0.2.1")).isEqualTo("198.51.100.1");
    assertThat(client("10.1.2.3", "6.6.6.6", "198.51.100.1:4711")).isEqualTo("198.51.100.1");
    assertThat(client("10.1.2.3")).isEqualTo("10.1.2.3");
    assertThat(client("10.1.2.3", "unknown, 10.9.9.9")).isEqualTo("10.9.9.9");
    assertThat(client("10.1.2.3", "evil.example.org")).isEqualTo("10.1.2.3");
  }

  @Test
  void forwardedIsReadAsItsRfcSays() {
    assertThat(
            proxies.client(
                "fd00::1",
                List.of("for=6.6.6.6;proto=http, for=\"[2001:db8::5]:47\";by=10.0.0.1"),
                List.of("7.7.7.7")))
        .isEqualTo("2001:db8::5");
    assertThat(proxies.client("10.0.0.1", List.of("for=_hidden"), List.of())).isEqualTo("10.0.0.1");
  }

  @Test
  void whatIsNoAddressIsRefused() {
    for (String wrong : List.of("proxy.example", "10.0.0.0/33", "10.0.0.0/x", "")) {
      assertThatThrownBy(() -> new TrustedProxies(List.of(wrong)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}

package io.tidemark.platform.notification.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.notification.AddressPolicy;
import io.tidemark.platform.notification.http.GuardedDnsResolver.ForbiddenAddressException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A name is judged by what it means at the attempt, and connected to what was judged. */
class GuardedDnsResolverTest {

  private static final String PUBLIC = "93.184.216.34";
  private static final AddressPolicy CLOSED = AddressPolicy.of(List.of());

  /** Answers one after the other, as a server of names does that wants to deceive. */
  private static final class TestingNames implements DnsResolver {
    private final Deque<List<String>> answers = new ArrayDeque<>();

    TestingNames answer(String... addresses) {
      answers.add(List.of(addresses));
      return this;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      List<String> next = answers.removeFirst();
      InetAddress[] addresses = new InetAddress[next.size()];
      for (int i = 0; i < addresses.length; i++) {
        addresses[i] = InetAddress.getByName(next.get(i));
      }
      return addresses;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  @Test
  void aNameThatMeansAnotherAddressNextTimeIsJudgedAgain() throws Exception {
    TestingNames names = new TestingNames().answer(PUBLIC).answer("127.0.0.1");
    GuardedDnsResolver resolver = new GuardedDnsResolver(CLOSED, names);

    assertThat(resolver.resolve("hooks.example.org", 443))
        .singleElement()
        .satisfies(
            address -> {
              assertThat(address.isUnresolved()).as("nobody looks it up once more").isFalse();
              assertThat(address.getAddress().getHostAddress()).isEqualTo(PUBLIC);
            });
    assertThat(names.answers).as("one look for one attempt").hasSize(1);
    assertThatThrownBy(() -> resolver.resolve("hooks.example.org", 443))
        .isInstanceOf(ForbiddenAddressException.class)
        .hasMessageContaining("hooks.example.org");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "127.0.0.1",
        "0.0.0.0",
        "::1",
        "fd00:ec2::254",
        "fe80::1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "100.64.0.1"
      })
  void oneForbiddenAddressAmongPublicOnesForbidsTheName(String inside) {
    GuardedDnsResolver resolver =
        new GuardedDnsResolver(CLOSED, new TestingNames().answer(PUBLIC, inside));

    assertThatThrownBy(() -> resolver.resolve("hooks.example.org", 443))
        .isInstanceOf(ForbiddenAddressException.class);
  }

  @Test
  void otherPortsAreForOperatorsExceptionsOnly() throws Exception {
    AddressPolicy open = AddressPolicy.of(List.of("10.1.0.0/16"));

    assertThatThrownBy(
            () ->
                new GuardedDnsResolver(open, new TestingNames().answer(PUBLIC))
                    .resolve("hooks.example.org", 22))
        .isInstanceOf(ForbiddenAddressException.class);
    assertThat(
            new GuardedDnsResolver(open, new TestingNames().answer("10.1.2.3"))
                .resolve("hooks.internal", 8_080))
        .hasSize(1);
  }
}

package io.tidemark.platform.notification.http;

import io.tidemark.platform.notification.AddressPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

/**
 * Looks a name up and lets only addresses through that may be delivered to; the connection is made
 * to these very addresses. One forbidden address among several forbids the name.
 */
final class GuardedDnsResolver implements DnsResolver {

  private final AddressPolicy policy;
  private final DnsResolver names;

  GuardedDnsResolver(AddressPolicy policy) {
    this(policy, SystemDefaultDnsResolver.INSTANCE);
  }

  GuardedDnsResolver(AddressPolicy policy, DnsResolver names) {
    this.policy = policy;
    this.names = names;
  }

  /** The address is one that is private, local or reserved. */
  static final class ForbiddenAddressException extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    ForbiddenAddressException(String host) {
      super(
          "The address of "
              + host
              + " is private, local or reserved, or the port is not 443 or 8443.");
    }
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = names.resolve(host);
    for (InetAddress address : addresses) {
      if (!policy.isAllowed(address)) {
        throw new ForbiddenAddressException(host);
      }
    }
    return addresses;
  }

  @Override
  public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (InetAddress address : resolve(host)) {
      if (!policy.isAllowed(address, port)) {
        throw new ForbiddenAddressException(host);
      }
      addresses.add(new InetSocketAddress(address, port));
    }
    return addresses;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}

package io.tidemark.platform.shared.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a client behind proxies that the operator trusts. What anybody else says of
 * forwarding is not read, or anyone could take another's address.
 */
public final class TrustedProxies {

  private record Range(byte[] network, int bits) {

    boolean contains(byte[] address) {
      if (address.length != network.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((network[bit / 8] & mask) != (address[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Range that
          && bits == that.bits
          && Arrays.equals(network, that.network);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(network) + bits;
    }
  }

  private final List<Range> ranges = new ArrayList<>();

  /**
   * Trusts these.
   *
   * @param proxies addresses or ranges as {@code 10.0.0.0/8}
   * @throws IllegalArgumentException when one is none
   */
  public TrustedProxies(List<String> proxies) {
    for (String proxy : proxies) {
      String[] parts = proxy.strip().split("/", 2);
      byte[] network = address(parts[0]);
      int all = network == null ? -1 : 8 * network.length;
      int bits = parts.length == 1 ? all : number(parts[1]);
      if (network == null || bits < 0 || bits > all) {
        throw new IllegalArgumentException(proxy + " is neither an address nor a range");
      }
      ranges.add(new Range(network, bits));
    }
  }

  /** Whether nobody is trusted. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /**
   * The client: the last address that no trusted proxy has.
   *
   * @param peer who is connected
   * @param forwarded values of Forwarded (RFC 7239), in order
   * @param forwardedFor values of X-Forwarded-For, in order; read when there is no Forwarded
   */
  public String client(String peer, List<String> forwarded, List<String> forwardedFor) {
    if (!isTrusted(peer)) {
      return peer;
    }
    List<String> hops = forwarded.isEmpty() ? list(forwardedFor) : ofForwarded(forwarded);
    Collections.reverse(hops);
    String client = peer;
    for (String hop : hops) {
      String address = withoutPort(hop);
      if (address(address) == null) {
        // Hidden or made up: what is behind it cannot be known.
        return client;
      }
      client = address;
      if (!isTrusted(address)) {
        return client;
      }
    }
    return client;
  }

  private boolean isTrusted(String text) {
    byte[] address = address(text);
    return address != null && ranges.stream().anyMatch(range -> range.contains(address));
  }

  private static List<String> list(List<String> values) {
    List<String> hops = new ArrayList<>();
    for (String value : values) {
      for (String hop : value.split(",", -1)) {
        hops.add(hop.strip());
      }
    }
    return hops;
  }

  private static List<String> ofForwarded(List<String> values) {
    List<String> hops = new ArrayList<>();
    for (String element : list(values)) {
      String found = "";
      for (String pair : element.split(";", -1)) {
        String[] parts = pair.strip().split("=", 2);
        if (parts.length == 2 && parts[0].toLowerCase(Locale.ROOT).equals("for")) {
          found = parts[1].replace("\"", "");
        }
      }
      hops.add(found);
    }
    return hops;
  }

  private static String withoutPort(String hop) {
    if (hop.startsWith("[")) {
      int end = hop.indexOf(']');
      return end < 0 ? "" : hop.substring(1, end);
    }
    int colon = hop.indexOf(':');
    return colon >= 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
  }

  /** Null when the text is no address; never asks for a name. */
  private static byte @Nullable [] address(String text) {
    if (text == null || !text.matches("[0-9.]{7,15}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
      return null;
    }
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException none) {
      return null;
    }
  }

  private static int number(String text) {
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
  }
}

package io.tidemark.platform.notification;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Which addresses messages may go to. Everything that IANA keeps for special use is refused: what
 * an address inside answers must not be for those outside to see. Pure.
 */
public final class AddressPolicy {

  private record Network(byte[] prefix, int bits) {
    boolean holds(byte[] address) {
      if (address.length != prefix.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >>> (i % Byte.SIZE);
        if ((address[i / Byte.SIZE] & mask) != (prefix[i / Byte.SIZE] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Network> SPECIAL =
      networks(
          List.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.31.196.0/24",
              "192.52.193.0/24",
              "192.88.99.0/24",
              "192.168.0.0/16",
              "192.175.48.0/24",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "224.0.0.0/4",
              "240.0.0.0/4",
              "::/96",
              "64:ff9b::/96",
              "64:ff9b:1::/48",
              "100::/64",
              "2001::/23",
              "2001:db8::/32",
              "2002::/16",
              "3fff::/20",
              "5f00::/16",
              "fc00::/7",
              "fe80::/10",
              "fec0::/10",
              "ff00::/8"));

  private static final Set<Integer> PUBLIC_PORTS = Set.of(443, 8443);
  private static final int MAPPED_BYTES = 12;

  private final List<Network> allowed;

  private AddressPolicy(List<Network> allowed) {
    this.allowed = allowed;
  }

  /**
   * @param allowed networks that are let through although they are special
   * @throws IllegalArgumentException when one of them is none
   */
  public static AddressPolicy of(List<String> allowed) {
    return new AddressPolicy(networks(allowed));
  }

  /** Whether any address that is not public may be delivered to. */
  public boolean hasExceptions() {
    return !allowed.isEmpty();
  }

  /** Whether an operator let this very address through. */
  public boolean isException(InetAddress address) {
    byte[] bytes = plain(address);
    return allowed.stream().anyMatch(network -> network.holds(bytes));
  }

  /** Whether a message may go to the address at all. */
  public boolean isAllowed(InetAddress address) {
    byte[] bytes = plain(address);
    return isException(address) || SPECIAL.stream().noneMatch(network -> network.holds(bytes));
  }

  /** The same of a port; operators' exceptions have any. */
  public boolean isAllowed(InetAddress address, int port) {
    return isAllowed(address) && (isException(address) || PUBLIC_PORTS.contains(port));
  }

  /** An IPv4 address that is written as one of IPv6 is judged as what it is. */
  private static byte[] plain(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (address instanceof Inet6Address && isMapped(bytes)) {
      return Arrays.copyOfRange(bytes, MAPPED_BYTES, bytes.length);
    }
    return bytes;
  }

  private static boolean isMapped(byte[] bytes) {
    for (int i = 0; i < MAPPED_BYTES - 2; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[MAPPED_BYTES - 2] == (byte) 0xff && bytes[MAPPED_BYTES - 1] == (byte) 0xff;
  }

  private static List<Network> networks(List<String> texts) {
    List<Network> networks = new ArrayList<>();
    for (String text : texts) {
      int slash = text.indexOf('/');
      if (slash < 1 || !text.substring(0, slash).matches("[0-9a-fA-F.:]+")) {
        throw new IllegalArgumentException("'" + text + "'");
      }
      try {
        InetAddress address = InetAddress.getByName(text.substring(0, slash));
        int bits = Integer.parseInt(text.substring(slash + 1));
        int most = address instanceof Inet4Address ? 32 : 128;
        if (bits < 0 || bits > most) {
          throw new IllegalArgumentException("'" + text + "'");
        }
        networks.add(new Network(address.getAddress(), bits));
      } catch (UnknownHostException | NumberFormatException notANetwork) {
        throw new IllegalArgumentException("'" + text + "'", notANetwork);
      }
    }
    return networks;
  }
}

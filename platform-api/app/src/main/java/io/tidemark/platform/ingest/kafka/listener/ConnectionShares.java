package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.shared.TenantId;
import java.net.InetAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shares the connections of the listener: those that have not said who they are get a quarter; one
 * tenant gets half. Who has not said who it is makes room for newer ones: of the address that has
 * most of them, the oldest. So an address that floods closes its own.
 *
 * @param <C> a connection
 */
final class ConnectionShares<C> {

  private final int connections;
  private final Map<C, InetAddress> unauthenticated = new LinkedHashMap<>();
  private final Map<C, TenantId> tenants = new HashMap<>();

  /** Shares so many connections. */
  ConnectionShares(int connections) {
    this.connections = connections;
  }

  /** Threads that are needed at most: one that makes room has its own until it is closed. */
  static int threads(int connections) {
    return connections + 2 * strangers(connections);
  }

  private static int strangers(int connections) {
    return Math.max(1, connections / 4);
  }

  /** Takes a new connection in; the one to be closed for it, or null. */
  synchronized @Nullable C open(C connection, InetAddress address) {
    unauthenticated.put(connection, address);
    if (unauthenticated.size() <= strangers(connections)) {
      return null;
    }
    Map<InetAddress, Integer> numbers = new HashMap<>();
    unauthenticated.values().forEach(each -> numbers.merge(each, 1, Integer::sum));
    int most = Collections.max(numbers.values());
    C closed =
        unauthenticated.entrySet().stream()
            .filter(each -> Objects.requireNonNull(numbers.get(each.getValue())) == most)
            .findFirst()
            .orElseThrow()
            .getKey();
    unauthenticated.remove(closed);
    return closed;
  }

  /** Whether the tenant may have the connection. */
  synchronized boolean authenticate(C connection, TenantId tenant) {
    if (tenant.equals(tenants.get(connection))) {
      return true;
    }
    long own = tenants.values().stream().filter(tenant::equals).count();
    if (own >= Math.max(1, connections / 2) || tenants.size() >= connections) {
      return false;
    }
    unauthenticated.remove(connection);
    tenants.put(connection, tenant);
    return true;
  }

  synchronized void close(C connection) {
    unauthenticated.remove(connection);
    tenants.remove(connection);
  }
}

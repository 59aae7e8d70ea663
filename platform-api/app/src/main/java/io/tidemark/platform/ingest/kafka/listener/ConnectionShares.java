package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.shared.TenantId;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Shares the connections of the listener: those that have not said who they are get a quarter, and
 * make room for newer ones, the oldest first; one tenant gets half.
 *
 * @param <C> a connection
 */
final class ConnectionShares<C> {

  private final int connections;
  private final Set<C> unauthenticated = new LinkedHashSet<>();
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
  synchronized C open(C connection) {
    unauthenticated.add(connection);
    if (unauthenticated.size() <= strangers(connections)) {
      return null;
    }
    Iterator<C> oldest = unauthenticated.iterator();
    C closed = oldest.next();
    oldest.remove();
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

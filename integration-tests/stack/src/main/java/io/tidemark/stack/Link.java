package io.tidemark.stack;

import java.util.Arrays;
import java.util.List;

/**
 * A direction in which components reach each other. With {@code TIDEMARK_LINKS=proxied} each goes
 * through a port of its own, at which a test makes it slow, silent or broken. Links between
 * processes of one engine are not here: these announce their addresses to each other themselves.
 */
public enum Link {
  PLATFORM_KAFKA("platform-api", "kafka"),
  PLATFORM_POSTGRES("platform-api", "postgres"),
  PLATFORM_BROKER("platform-api", "druid-broker"),
  PLATFORM_COORDINATOR("platform-api", "druid-coordinator"),
  PLATFORM_STORE("platform-api", "object-store"),
  FLINK_KAFKA("flink", "kafka"),
  FLINK_POSTGRES("flink", "postgres"),
  FLINK_ZOOKEEPER("flink", "zookeeper"),
  FLINK_STORE("flink", "object-store"),
  DRUID_KAFKA("druid", "kafka"),
  DRUID_ZOOKEEPER("druid", "zookeeper");

  private final String client;
  private final String server;

  Link(String client, String server) {
    this.client = client;
    this.server = server;
  }

  /** Its name, and that of its port: {@code flink-to-kafka}. */
  public String id() {
    return client + "-to-" + server;
  }

  /** Who connects: a component, or the engine that several are of. */
  public String client() {
    return client;
  }

  /** The component that is connected to. */
  public String server() {
    return server;
  }

  /**
   * The port at which the server itself is reached over this link. A broker tells clients where to
   * connect by the port they came in at, so it has one for each link.
   */
  public String serverPort() {
    return server.equals("kafka") ? "kafka-from-" + client : server;
  }

  /** Links to one server. */
  public static List<Link> to(String server) {
    return Arrays.stream(values()).filter(link -> link.server.equals(server)).toList();
  }
}

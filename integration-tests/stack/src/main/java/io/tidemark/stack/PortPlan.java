package io.tidemark.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The loopback ports of one stack, by name. The order is fixed: with a base, each port is the base
 * plus its place in the list.
 */
public record PortPlan(Map<String, Integer> ports) {
  /** Name to default port. */
  private static final Map<String, Integer> DEFAULTS = new LinkedHashMap<>();

  static {
    DEFAULTS.put("platform-api", 8080);
    DEFAULTS.put("flink-ui", 8081);
    DEFAULTS.put("otlp-grpc", 4317);
    DEFAULTS.put("otlp-http", 4318);
    DEFAULTS.put("postgres", 15432);
    DEFAULTS.put("zookeeper", 12181);
    DEFAULTS.put("kafka", 19092);
    DEFAULTS.put("kafka-controller", 19093);
    DEFAULTS.put("flink-blob", 16124);
    DEFAULTS.put("flink-taskmanager-data", 16121);
    DEFAULTS.put("druid-coordinator", 18081);
    DEFAULTS.put("druid-broker", 18082);
    DEFAULTS.put("druid-historical", 18083);
    DEFAULTS.put("druid-historical-hot", 18084);
    DEFAULTS.put("druid-indexer", 18091);
    DEFAULTS.put("druid-indexer-batch", 18092);
    DEFAULTS.put("druid-metadata", 18093);
    DEFAULTS.put("kafka-door", 9092);
    DEFAULTS.put("object-store", 19000);
    // Of the single processes, where several stand behind the proxy.
    for (int process = 1; process <= StackSettings.MAX_PLATFORM_PROCESSES; process++) {
      DEFAULTS.put("platform-api-" + process, 18200 + 10 * process);
      DEFAULTS.put("otlp-http-" + process, 18201 + 10 * process);
      DEFAULTS.put("otlp-grpc-" + process, 18202 + 10 * process);
      DEFAULTS.put("kafka-door-" + process, 18203 + 10 * process);
    }
    // Of the links between components, where they go through a proxy.
    DEFAULTS.put("network", 18300);
    int next = 18301;
    for (Link link : Link.values()) {
      DEFAULTS.put(link.id(), next++);
    }
    for (Link link : Link.to("kafka")) {
      DEFAULTS.put(link.serverPort(), next++);
    }
    // Of the other brokers, where there are several.
    for (int node = 2; node <= StackSettings.MAX_BROKERS; node++) {
      DEFAULTS.put("kafka-" + node, 18400 + 10 * node);
      DEFAULTS.put("kafka-" + node + "-controller", 18401 + 10 * node);
    }
    // Where the lake's tables are found at a server.
    DEFAULTS.put("lake-catalog", 18500);
  }

  /** How many consecutive ports a base takes. */
  public static final int SIZE = DEFAULTS.size();

  /** Runs that begin at different places do not overlap. */
  private static final int RUN = 50;

  public PortPlan {
    ports = Map.copyOf(ports);
  }

  /**
   * Reads {@code TIDEMARK_PORT_BASE} and {@code TIDEMARK_PORT_<NAME>}; a single port's variable
   * wins over the base.
   *
   * @throws StackFailure naming the variable that is not a port number
   */
  public static PortPlan fromEnvironment(Map<String, String> environment) {
    Map<String, Integer> chosen = new LinkedHashMap<>(DEFAULTS);
    String base = environment.getOrDefault("TIDEMARK_PORT_BASE", "");
    if (!base.isBlank()) {
      int next = number("TIDEMARK_PORT_BASE", base);
      if (next + SIZE > 65536) {
        throw new StackFailure(
            "TIDEMARK_PORT_BASE=" + base + " leaves no room for " + SIZE + " ports below 65536.");
      }
      for (String name : DEFAULTS.keySet()) {
        chosen.put(name, next++);
      }
    }
    for (String name : DEFAULTS.keySet()) {
      String variable = variable(name);
      String value = environment.getOrDefault(variable, "");
      if (!value.isBlank()) {
        chosen.put(name, number(variable, value));
      }
    }
    return new PortPlan(chosen);
  }

  /** A run of free loopback ports, searched upwards from a place that differs between runs. */
  public static PortPlan free(int seed) {
    for (int attempt = 0; attempt < 200; attempt++) {
      int base = 20000 + Math.floorMod(seed + attempt * 37, 200) * RUN;
      boolean free = true;
      for (int port = base; port < base + SIZE && free; port++) {
        free = isFree(port);
      }
      if (free) {
        return fromEnvironment(Map.of("TIDEMARK_PORT_BASE", Integer.toString(base)));
      }
    }
    throw new StackFailure("No " + SIZE + " consecutive free ports between 20000 and 30000.");
  }

  public int of(String name) {
    Integer port = ports.get(name);
    if (port == null) {
      throw new IllegalArgumentException("no port named " + name);
    }
    return port;
  }

  /** The environment variable that sets one port. */
  public static String variable(String name) {
    return "TIDEMARK_PORT_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** host:port on loopback. */
  public String address(String name) {
    return "127.0.0.1:" + of(name);
  }

  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int number(String variable, String value) {
    try {
      int port = Integer.parseInt(value.trim());
      if (port >= 1024 && port <= 65535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // told below, together with numbers out of range
    }
    throw new StackFailure(variable + "=" + value + " is not a port between 1024 and 65535.");
  }
}

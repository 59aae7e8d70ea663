package io.tidemark.platform.selftelemetry;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Which process of which build reports. The instance stays the same when the process starts again,
 * or every start would begin new series.
 */
record ProcessIdentity(String instance, String version) {

  static final String SERVICE = "platform-api";

  /**
   * The name that is set, or else host and port.
   *
   * @param host names this machine
   */
  static ProcessIdentity of(
      ProcessProperties properties, Supplier<String> host, int port, String version) {
    return new ProcessIdentity(
        properties.instance().isEmpty() ? host.get() + ":" + port : properties.instance(), version);
  }

  /** Name of this machine; of a pod, its own. */
  static String hostName() {
    String named = System.getenv("HOSTNAME");
    if (named != null && !named.isBlank()) {
      return named;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  /** As a resource of OpenTelemetry. */
  Map<String, String> attributes() {
    return Map.of(
        "service.name", SERVICE, "service.instance.id", instance, "service.version", version);
  }
}

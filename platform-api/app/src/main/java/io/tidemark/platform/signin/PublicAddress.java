package io.tidemark.platform.signin;

import org.springframework.core.env.Environment;

/** Where browsers reach the application, and where it reaches itself. */
public final class PublicAddress {

  private final String configured;
  private final Environment environment;

  PublicAddress(String configured, Environment environment) {
    this.configured = configured;
    this.environment = environment;
  }

  /** Scheme, host and port as browsers use them, without a path. */
  public String origin() {
    return configured.isEmpty() ? "http://localhost:" + port() : configured;
  }

  /** The same for requests from here to here, past any proxy. */
  public String loopback() {
    if (configured.isEmpty()) {
      return origin();
    }
    String address = environment.getProperty("server.address", "");
    boolean any = address.isEmpty() || address.equals("0.0.0.0") || address.equals("::");
    return "http://" + (any ? "127.0.0.1" : address) + ":" + port();
  }

  /** Known only once the server listens, when the settings leave it to the system. */
  private String port() {
    String listening = environment.getProperty("local.server.port");
    return listening == null ? environment.getProperty("server.port", "8080") : listening;
  }
}

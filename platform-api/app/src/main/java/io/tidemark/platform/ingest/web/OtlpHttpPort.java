package io.tidemark.platform.ingest.web;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/** Opens the port of OTLP/HTTP beside that of the APIs, in the same servlet container. */
public final class OtlpHttpPort
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

  private final Connector connector;

  OtlpHttpPort(String address, int port, int greatestBody) {
    connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(port);
    if (!address.isBlank()) {
      connector.setProperty("address", address);
    }
    // Read the rest of a refused body, so that the sender gets the answer and not a reset.
    connector.setProperty("maxSwallowSize", Integer.toString(2 * greatestBody));
    connector.setProperty("connectionTimeout", "20000");
    // A sender keeps its connection for as long as it sends, and over the minute between two
    // exports.
    connector.setProperty("maxKeepAliveRequests", "-1");
    connector.setProperty("keepAliveTimeout", "120000");
    connector.setProperty("server", "tidemark");
    AbstractProtocol<?> protocol = (AbstractProtocol<?>) connector.getProtocolHandler();
    protocol.setMinSpareThreads(2);
    protocol.setMaxThreads(64);
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.addAdditionalConnectors(connector);
  }

  /** The port in use; differs from the configured one only when that is 0. */
  public int number() {
    return connector.getLocalPort();
  }
}

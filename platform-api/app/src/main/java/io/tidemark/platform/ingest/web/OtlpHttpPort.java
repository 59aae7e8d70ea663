package io.tidemark.platform.ingest.web;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.annotation.Order;

/** Opens the port of OTLP/HTTP beside that of the APIs, in the same servlet container. */
@Order(0)
public final class OtlpHttpPort
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

  /** Each reads one body at a time; one tenant has half. */
  static final int THREADS = 128;

  private final Connector connector;

  OtlpHttpPort(String address, int port) {
    connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(port);
    if (!address.isBlank()) {
      connector.setProperty("address", address);
    }
    connector.setProperty("connectionTimeout", "20000");
    // A sender keeps its connection for as long as it sends, and over the minute between two
    // exports.
    connector.setProperty("maxKeepAliveRequests", "-1");
    connector.setProperty("keepAliveTimeout", "120000");
    connector.setProperty("server", "tidemark");
    AbstractProtocol<?> protocol = (AbstractProtocol<?>) connector.getProtocolHandler();
    protocol.setMinSpareThreads(2);
    protocol.setMaxThreads(THREADS);
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.addAdditionalConnectors(connector);
    factory.addEngineValves(new RequestBodyGuard());
    factory.addConnectorCustomizers(OtlpHttpPort::limitReads);
    limitReads(connector);
  }

  private static void limitReads(Connector limited) {
    limited.setProperty("disableUploadTimeout", "false");
    limited.setProperty(
        "connectionUploadTimeout", Long.toString(RequestBodyGuard.LONGEST_READ.toMillis()));
    // The guard reads what is left of a refused body.
    limited.setProperty("maxSwallowSize", "0");
  }

  /** The port in use; differs from the configured one only when that is 0. */
  public int number() {
    return connector.getLocalPort();
  }
}

package io.tidemark.platform.tls;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/** Encrypts every HTTP port, that of the APIs and those that modules open beside it. */
final class ConnectorEncryption
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {

  private final DoorCertificate certificate;

  ConnectorEncryption(DoorCertificate certificate) {
    this.certificate = certificate;
  }

  /** After those that add ports. */
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    if (certificate.isSet()) {
      factory.addConnectorCustomizers(this::encrypt);
      factory.getAdditionalConnectors().forEach(this::encrypt);
    }
  }

  private void encrypt(Connector connector) {
    AbstractHttp11Protocol<?> protocol = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
    connector.setScheme("https");
    connector.setSecure(true);
    protocol.setSSLEnabled(true);
    protocol.addSslHostConfig(host(certificate.bundle()));
    certificate.onChange(changed -> protocol.addSslHostConfig(host(changed), true));
  }

  private static SSLHostConfig host(SslBundle bundle) {
    SSLHostConfig host = new SSLHostConfig();
    host.setProtocols(String.join("+", DoorCertificate.PROTOCOLS));
    SSLHostConfigCertificate shown =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    shown.setCertificateKeystore(bundle.getStores().getKeyStore());
    // Tomcat asks for one; a store made of PEM files has none.
    shown.setCertificateKeystorePassword("");
    host.addCertificate(shown);
    return host;
  }
}

package io.tidemark.platform.tls;

import java.time.Clock;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Encrypts where there is a certificate. */
@Configuration(proxyBeanMethods = false)
class TlsConfiguration {

  @Bean
  DoorCertificate doorCertificate(TlsProperties properties, SslBundles bundles) {
    return properties.isSet() ? DoorCertificate.of(bundles) : DoorCertificate.none();
  }

  @Bean
  CertificateExpiry certificateExpiry(DoorCertificate certificate, Clock clock) {
    return new CertificateExpiry(certificate, clock);
  }

  @Bean
  ConnectorEncryption connectorEncryption(DoorCertificate certificate) {
    return new ConnectorEncryption(certificate);
  }
}

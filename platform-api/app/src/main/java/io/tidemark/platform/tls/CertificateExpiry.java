package io.tidemark.platform.tls;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Objects;

/** Reports how long the certificate of the doors is still valid. Nothing where there is none. */
final class CertificateExpiry implements MeterBinder {

  private final DoorCertificate certificate;
  private final Clock clock;

  CertificateExpiry(DoorCertificate certificate, Clock clock) {
    this.certificate = certificate;
    this.clock = clock;
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    if (certificate.isSet()) {
      Gauge.builder("tidemark.tls.certificate.remaining", this, CertificateExpiry::remaining)
          .baseUnit("seconds")
          .description("Time until the certificate of the doors expires")
          .register(meters);
    }
  }

  /** NaN, which is no value, when the store cannot be read. */
  private double remaining() {
    try {
      KeyStore store = certificate.bundle().getStores().getKeyStore();
      double least = Double.NaN;
      for (String alias : Collections.list(Objects.requireNonNull(store).aliases())) {
        if (store.getCertificate(alias) instanceof X509Certificate shown) {
          Instant end = shown.getNotAfter().toInstant();
          double left = Duration.between(clock.instant(), end).toSeconds();
          least = Double.isNaN(least) || left < least ? left : least;
        }
      }
      return least;
    } catch (KeyStoreException unreadable) {
      return Double.NaN;
    }
  }
}

package io.tidemark.platform.access.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** The certificates of a file, one after the other in PEM, which are trusted and no others. */
final class TrustedCertificates {

  private TrustedCertificates() {}

  /** What is wrong with the file, to go behind the name of the setting; empty for nothing. */
  static Optional<String> fault(Path file) {
    try {
      return read(file).isEmpty() ? Optional.of("has no certificate: " + file) : Optional.empty();
    } catch (IOException | GeneralSecurityException unreadable) {
      return Optional.of("must be a file of certificates in PEM: " + file);
    }
  }

  private static Collection<? extends Certificate> read(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in);
    }
  }

  /** Sockets to servers that one of them vouches for; the file has no {@link #fault}. */
  static SSLSocketFactory sockets(Path file) {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (Certificate each : read(file)) {
        trusted.setCertificateEntry(Integer.toString(trusted.size()), each);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException | GeneralSecurityException unusable) {
      throw new IllegalStateException("No certificates in " + file, unusable);
    }
  }
}

package io.tidemark.provision;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate to show to servers, and the certificates of servers that are trusted; none but
 * these.
 *
 * @param certificate PEM, with those it stands on
 * @param privateKey PEM, PKCS #8, of the kind of the certificate's key
 * @param trusted PEM, one or several
 */
public record ClientCertificate(Path certificate, Path privateKey, Path trusted) {

  /** Of a store that is never written. */
  private static final char[] IN_MEMORY = {'-'};

  /**
   * Reads the files as they are now.
   *
   * @throws ProvisionFailure naming a file that is none of these
   */
  public SSLContext context() {
    try {
      Collection<? extends Certificate> own = certificates(certificate);
      KeyStore keys = empty();
      String kind = own.iterator().next().getPublicKey().getAlgorithm();
      keys.setKeyEntry("own", key(kind), IN_MEMORY, own.toArray(Certificate[]::new));
      KeyManagerFactory shown =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      shown.init(keys, IN_MEMORY);
      KeyStore accepted = empty();
      for (Certificate each : certificates(trusted)) {
        accepted.setCertificateEntry(Integer.toString(accepted.size()), each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(accepted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(shown.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw ProvisionFailure.input(
          "%s, %s and %s are no certificate, its key in PKCS #8, and trusted certificates, all in PEM: %s."
              .formatted(certificate, privateKey, trusted, ProvisionFailure.reason(e)));
    }
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new IllegalArgumentException(file + " has no certificate");
      }
      return found;
    }
  }

  private PrivateKey key(String kind) throws IOException, GeneralSecurityException {
    String text =
        Files.readString(privateKey).replaceAll("-----(BEGIN|END) PRIVATE KEY-----|\\s", "");
    return KeyFactory.getInstance(kind)
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
  }
}

package io.tidemark.platform.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes certificates for 127.0.0.1 with the JDK's keytool, each its own authority. */
public final class TestingCertificates {

  private static final String PASSWORD = "changeit";

  private final Path folder;
  private int made;

  public TestingCertificates(Path folder) {
    this.folder = folder;
  }

  /** Where the certificate lies that is in use. */
  public Path certificate() {
    return folder.resolve("tls.crt");
  }

  /** Where its key lies. */
  public Path privateKey() {
    return folder.resolve("tls.key");
  }

  /** A new certificate with its key in place of the last one. */
  public X509Certificate renew() throws Exception {
    Path store = folder.resolve("store-" + made++ + ".p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "door",
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-dname",
                    "CN=door " + made,
                    "-ext",
                    "SAN=IP:127.0.0.1,DNS:localhost",
                    "-validity",
                    "2",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD))
            .redirectErrorStream(true)
            .start();
    String told = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed: " + told);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    X509Certificate certificate = (X509Certificate) keys.getCertificate("door");
    replace(
        privateKey(), pem("PRIVATE KEY", keys.getKey("door", PASSWORD.toCharArray()).getEncoded()));
    replace(certificate(), pem("CERTIFICATE", certificate.getEncoded()));
    return certificate;
  }

  /** The certificate in use, as PEM. */
  public String authority() throws IOException {
    return Files.readString(certificate());
  }

  /** Trusts some certificates, and nothing else. */
  public static SSLContext trusting(X509Certificate... trusted)
      throws GeneralSecurityException, IOException {
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    for (int i = 0; i < trusted.length; i++) {
      authorities.setCertificateEntry("authority-" + i, trusted[i]);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static String pem(String kind, byte[] content) {
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }

  private static void replace(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}

package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Certificates of the engines of one stack, made on this machine for this stack. Each is signed by
 * its own key, and each component names those it takes: what is not named is nobody.
 */
public final class Certificates {
  /** Who takes whose certificate. */
  private static final Map<String, List<String>> TAKEN = new LinkedHashMap<>();

  static {
    TAKEN.put("postgres", List.of());
    TAKEN.put("kafka", List.of("kafka"));
    TAKEN.put("druid", List.of("druid", "platform-api", "lifecycle"));
    TAKEN.put("flink", List.of("lifecycle"));
    TAKEN.put("flink-internal", List.of("flink-internal"));
    TAKEN.put("platform-api", List.of("druid"));
    TAKEN.put("lifecycle", List.of("druid", "flink"));
  }

  private static final String STORE = "PKCS12";
  private static final int DAYS = 400;
  private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

  private final StackSettings settings;
  private final String password;

  Certificates(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.password = identity.get("TIDEMARK_KEYSTORE_PASSWORD");
  }

  /** Makes what is missing or soon too old. Components that run with other files are restarted. */
  public static void make(StackSettings settings, StackIdentity identity, Instant now)
      throws IOException, InterruptedException, GeneralSecurityException {
    Certificates certificates = new Certificates(settings, identity);
    Files.createDirectories(
        certificates.folder(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    boolean isNew = false;
    for (String name : TAKEN.keySet()) {
      if (!certificates.serves(name, now.plus(RENEWED_BEFORE))) {
        certificates.makeOne(name);
        isNew = true;
      }
    }
    for (String name : TAKEN.keySet()) {
      if (isNew || !Files.exists(certificates.trusted(name))) {
        certificates.writeTrusted(name);
      }
    }
  }

  private Path folder() {
    return settings.home().resolve("certificates");
  }

  /** Key and certificate, with {@link #password} and the component's name as alias. */
  Path keyStore(String name) {
    return folder().resolve(name + ".p12");
  }

  /** Certificates that a component takes, with {@link #password}. */
  Path trustStore(String name) {
    return folder().resolve(name + "-trusted.p12");
  }

  /** The same in PEM. */
  Path trusted(String name) {
    return folder().resolve(name + "-trusted.pem");
  }

  Path certificate(String name) {
    return folder().resolve(name + ".pem");
  }

  Path privateKey(String name) {
    return folder().resolve(name + ".key");
  }

  /** Of all stores. */
  String password() {
    return password;
  }

  private boolean serves(String name, Instant until) throws IOException, GeneralSecurityException {
    return Files.exists(keyStore(name))
        && Files.exists(certificate(name))
        && ((X509Certificate) load(name).getCertificate(name))
            .getNotAfter()
            .toInstant()
            .isAfter(until);
  }

  private KeyStore load(String name) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(STORE);
    try (InputStream in = Files.newInputStream(keyStore(name))) {
      store.load(in, password.toCharArray());
    }
    return store;
  }

  private void makeOne(String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Files.deleteIfExists(keyStore(name));
    ProcessBuilder keytool =
        new ProcessBuilder(
                JavaCommand.java().resolveSibling("keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name + ",O=Tidemark",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-validity",
                Integer.toString(DAYS),
                "-ext",
                "SAN=IP:127.0.0.1,DNS:localhost",
                "-storetype",
                STORE,
                "-keystore",
                keyStore(name).toString(),
                "-storepass:env",
                "TIDEMARK_KEYSTORE_PASSWORD")
            .redirectErrorStream(true);
    // Not on the command line, which everybody on the machine can read.
    keytool.environment().put("TIDEMARK_KEYSTORE_PASSWORD", password);
    Process process = keytool.start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new StackFailure("keytool made no certificate of " + name + ":\n" + told);
    }
    Files.setPosixFilePermissions(keyStore(name), PosixFilePermissions.fromString("rw-------"));
    KeyStore store = load(name);
    Folders.writePrivate(
        privateKey(name),
        pem("PRIVATE KEY", store.getKey(name, password.toCharArray()).getEncoded()));
    Folders.writePrivate(
        certificate(name), pem("CERTIFICATE", store.getCertificate(name).getEncoded()));
  }

  private void writeTrusted(String name) throws IOException, GeneralSecurityException {
    KeyStore trust = KeyStore.getInstance(STORE);
    trust.load(null, null);
    StringBuilder text = new StringBuilder();
    for (String taken : TAKEN.get(name)) {
      Certificate certificate = load(taken).getCertificate(taken);
      trust.setCertificateEntry(taken, certificate);
      text.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    try (OutputStream out = Files.newOutputStream(trustStore(name))) {
      trust.store(out, password.toCharArray());
    }
    Folders.writePrivate(trusted(name), text.toString());
  }

  private static String pem(String kind, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            kind,
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content),
            kind);
  }
}

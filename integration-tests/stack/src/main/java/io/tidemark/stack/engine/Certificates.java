package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Certificates of the engines of one stack and of its public doors, made on this machine for this
 * stack. Each component has an authority that signs for it alone, and names the authorities that it
 * takes: whose is not named is nobody. So a certificate is replaced without anybody else's
 * knowledge.
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
    TAKEN.put("doors", List.of());
    TAKEN.put("lifecycle", List.of("druid", "flink", "doors"));
  }

  private static final String STORE = "PKCS12";
  private static final String AUTHORITY = "authority";

  /** A clock that is behind the machine's takes them, too. */
  private static final String BEGIN = "-1d";

  private static final int DAYS = 400;
  private static final int DAYS_OF_AUTHORITY = 3_650;
  private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

  /** An authority that ends before what it signs is replaced, too. */
  private static final Duration AUTHORITY_RENEWED_BEFORE = Duration.ofDays(2 * DAYS);

  private final StackSettings settings;
  private final String password;

  Certificates(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.password = identity.get("TIDEMARK_KEYSTORE_PASSWORD");
  }

  /** Makes what is missing or soon too old. */
  public static void make(StackSettings settings, StackIdentity identity, Instant now)
      throws IOException, InterruptedException, GeneralSecurityException {
    make(settings, identity, now, now.plus(RENEWED_BEFORE));
  }

  /** Makes every certificate anew; authorities stay. */
  public static void renew(StackSettings settings, StackIdentity identity, Instant now)
      throws IOException, InterruptedException, GeneralSecurityException {
    make(settings, identity, now, Instant.MAX);
  }

  private static void make(
      StackSettings settings, StackIdentity identity, Instant now, Instant until)
      throws IOException, InterruptedException, GeneralSecurityException {
    Certificates certificates = new Certificates(settings, identity);
    Files.createDirectories(
        certificates.folder(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (String name : TAKEN.keySet()) {
      if (!certificates.serves(
          certificates.authorityStore(name), AUTHORITY, now.plus(AUTHORITY_RENEWED_BEFORE))) {
        certificates.makeAuthority(name);
      }
      // A launcher that was killed may have left those of the authority before.
      if (!certificates.serves(certificates.keyStore(name), name, until)
          || !certificates.isSignedByAuthority(name)) {
        certificates.makeOne(name);
      }
    }
    for (String name : TAKEN.keySet()) {
      certificates.writeTrusted(name);
    }
    certificates.writePublicTrustStore();
  }

  private Path folder() {
    return settings.home().resolve("certificates");
  }

  /** Key and certificate, with {@link #password} and the component's name as alias. */
  Path keyStore(String name) {
    return folder().resolve(name + ".p12");
  }

  /** Authorities that a component takes, with {@link #password}. */
  Path trustStore(String name) {
    return folder().resolve(name + "-trusted.p12");
  }

  /** The same in PEM. */
  Path trusted(String name) {
    return folder().resolve(name + "-trusted.pem");
  }

  /** What signs for the component: whoever trusts it takes the component's certificates. */
  Path authority(String name) {
    return folder().resolve(name + "-authority.pem");
  }

  /**
   * Whom platform-api trusts beyond the engines, as a store of Java's old kind, which opens without
   * a password: everybody whom Java trusts, and the stack's own doors, to which it sends its
   * metrics.
   */
  Path publicTrustStore() {
    return folder().resolve("platform-api-public-trusted.jks");
  }

  private Path authorityStore(String name) {
    return folder().resolve(name + "-authority.p12");
  }

  /** With the authority's behind it. */
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

  private boolean serves(Path store, String alias, Instant until)
      throws IOException, GeneralSecurityException {
    return Files.exists(store)
        && load(store).getCertificate(alias) instanceof X509Certificate certificate
        && certificate.getNotAfter().toInstant().isAfter(until);
  }

  private boolean isSignedByAuthority(String name) throws IOException, GeneralSecurityException {
    Certificate[] chain = load(keyStore(name)).getCertificateChain(name);
    return chain[chain.length - 1].equals(load(authorityStore(name)).getCertificate(AUTHORITY));
  }

  private KeyStore load(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(STORE);
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password.toCharArray());
    }
    return store;
  }

  private void makeAuthority(String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = authorityStore(name);
    Files.deleteIfExists(store);
    keytool(
        store,
        List.of(
            "-alias",
            AUTHORITY,
            "-dname",
            "CN=" + name + " authority,O=Tidemark",
            "-startdate",
            BEGIN,
            "-validity",
            Integer.toString(DAYS_OF_AUTHORITY),
            "-ext",
            "bc:critical=ca:true,pathlen:0",
            "-ext",
            "ku:critical=keyCertSign"));
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rw-------"));
    replace(
        authority(name),
        pem("CERTIFICATE", load(store).getCertificate(AUTHORITY).getEncoded())
            .getBytes(StandardCharsets.US_ASCII));
  }

  /** The authority's store holds the key only while it is made. */
  private void makeOne(String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path making = folder().resolve(name + "-new.p12");
    Files.copy(authorityStore(name), making, StandardCopyOption.REPLACE_EXISTING);
    try {
      keytool(
          making,
          List.of(
              "-alias",
              name,
              "-dname",
              "CN=" + name + ",O=Tidemark",
              "-startdate",
              BEGIN,
              "-validity",
              Integer.toString(DAYS),
              "-ext",
              "SAN=IP:127.0.0.1,DNS:localhost",
              "-ext",
              "ku=digitalSignature,keyEncipherment",
              "-ext",
              "eku=serverAuth,clientAuth",
              "-signer",
              AUTHORITY));
      KeyStore made = load(making);
      Key key = made.getKey(name, password.toCharArray());
      Certificate[] chain = {made.getCertificate(name), made.getCertificate(AUTHORITY)};
      KeyStore own = KeyStore.getInstance(STORE);
      own.load(null, null);
      own.setKeyEntry(name, key, password.toCharArray(), chain);
      StringBuilder text = new StringBuilder();
      for (Certificate each : chain) {
        text.append(pem("CERTIFICATE", each.getEncoded()));
      }
      ByteArrayOutputStream store = new ByteArrayOutputStream();
      own.store(store, password.toCharArray());
      replace(
          privateKey(name),
          pem("PRIVATE KEY", key.getEncoded()).getBytes(StandardCharsets.US_ASCII));
      replace(certificate(name), text.toString().getBytes(StandardCharsets.US_ASCII));
      replace(keyStore(name), store.toByteArray());
    } finally {
      Files.deleteIfExists(making);
    }
  }

  private void keytool(Path store, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                JavaCommand.java().resolveSibling("keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-storetype",
                STORE,
                "-keystore",
                store.toString(),
                "-storepass:env",
                "TIDEMARK_KEYSTORE_PASSWORD"));
    command.addAll(arguments);
    ProcessBuilder keytool = new ProcessBuilder(command).redirectErrorStream(true);
    // Not on the command line, which everybody on the machine can read.
    keytool.environment().put("TIDEMARK_KEYSTORE_PASSWORD", password);
    Process process = keytool.start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new StackFailure("keytool made no " + store.getFileName() + ":\n" + told);
    }
  }

  /** Leaves files alone that say the same: components that run with others are restarted. */
  private void writeTrusted(String name) throws IOException, GeneralSecurityException {
    KeyStore trust = KeyStore.getInstance(STORE);
    trust.load(null, null);
    StringBuilder text = new StringBuilder();
    for (String taken : Objects.requireNonNull(TAKEN.get(name), name)) {
      Certificate authority = load(authorityStore(taken)).getCertificate(AUTHORITY);
      trust.setCertificateEntry(taken, authority);
      text.append(pem("CERTIFICATE", authority.getEncoded()));
    }
    if (Files.exists(trusted(name)) && Files.readString(trusted(name)).contentEquals(text)) {
      return;
    }
    ByteArrayOutputStream store = new ByteArrayOutputStream();
    trust.store(store, password.toCharArray());
    replace(trustStore(name), store.toByteArray());
    replace(trusted(name), text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private void writePublicTrustStore() throws IOException, GeneralSecurityException {
    KeyStore trust = KeyStore.getInstance("JKS");
    trust.load(null, null);
    TrustManagerFactory ofJava =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    ofJava.init((KeyStore) null);
    for (TrustManager manager : ofJava.getTrustManagers()) {
      if (manager instanceof X509TrustManager known) {
        for (X509Certificate each : known.getAcceptedIssuers()) {
          trust.setCertificateEntry(Integer.toString(trust.size()), each);
        }
      }
    }
    trust.setCertificateEntry("doors", load(authorityStore("doors")).getCertificate(AUTHORITY));
    ByteArrayOutputStream store = new ByteArrayOutputStream();
    trust.store(store, password.toCharArray());
    replace(publicTrustStore(), store.toByteArray());
  }

  /** Whoever reads it meanwhile sees all of the old one or all of the new one. */
  private static void replace(Path file, byte[] content) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.deleteIfExists(next);
    Files.createFile(
        next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(next, content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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

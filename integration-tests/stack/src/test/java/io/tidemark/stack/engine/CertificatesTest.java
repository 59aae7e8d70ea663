package io.tidemark.stack.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {
  private final Instant now = Instant.now();
  @TempDir private Path root;
  private StackSettings settings;
  private StackIdentity identity;
  private Certificates certificates;

  @BeforeEach
  void settings() {
    settings = StackSettings.fromEnvironment(root, Map.of("TIDEMARK_SECURITY", "tls"));
    identity = StackIdentity.loadOrDraw(root.resolve("secrets.env"), new SecureRandom());
    certificates = new Certificates(settings, identity);
  }

  @Test
  void certificatesStayUntilTheyAreNearlyTooOldAndAreTheirOwnersAlone() throws Exception {
    Certificates.make(settings, identity, now);
    String druid = text(certificates.certificate("druid"));
    Certificates.make(settings, identity, now.plus(Duration.ofDays(300)));
    assertThat(text(certificates.certificate("druid"))).isEqualTo(druid);

    Certificates.make(settings, identity, now.plus(Duration.ofDays(380)));
    assertThat(text(certificates.certificate("druid"))).isNotEqualTo(druid);

    Path folder = certificates.certificate("druid").getParent();
    assertThat(permissions(folder)).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
    }
  }

  @Test
  void whoeverTakesACertificateTakesTheRenewedOneToo() throws Exception {
    Certificates.make(settings, identity, now);
    X509Certificate before = own("druid");
    String taken = text(certificates.trusted("platform-api"));
    assertThat(taken).isEqualTo(text(certificates.authority("druid")));
    assertThat(text(certificates.trusted("flink")))
        .isEqualTo(text(certificates.authority("lifecycle")));

    Certificates.renew(settings, identity, now);
    X509Certificate after = own("druid");
    assertThat(after).isNotEqualTo(before);
    assertThat(text(certificates.trusted("platform-api"))).isEqualTo(taken);
    X509TrustManager platform = trust("platform-api");
    platform.checkServerTrusted(new X509Certificate[] {before}, "RSA");
    platform.checkServerTrusted(new X509Certificate[] {after}, "RSA");
    // What another component's authority signed is nobody's.
    assertThatThrownBy(
            () -> platform.checkServerTrusted(new X509Certificate[] {own("kafka")}, "RSA"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void platformApiTakesItsDoorsBesideEverybodyWhomJavaTakes() throws Exception {
    Certificates.make(settings, identity, now);
    // Without a password, which command lines would tell.
    KeyStore store = KeyStore.getInstance(certificates.publicTrustStore().toFile(), (char[]) null);
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init((KeyStore) null);
    X509TrustManager ofJava = (X509TrustManager) managers.getTrustManagers()[0];
    managers.init(store);
    X509TrustManager beyond = (X509TrustManager) managers.getTrustManagers()[0];

    beyond.checkServerTrusted(new X509Certificate[] {own("doors")}, "RSA");
    trust("lifecycle").checkServerTrusted(new X509Certificate[] {own("doors")}, "RSA");
    assertThatThrownBy(() -> beyond.checkServerTrusted(new X509Certificate[] {own("druid")}, "RSA"))
        .isInstanceOf(CertificateException.class);
    assertThat(beyond.getAcceptedIssuers())
        .contains(ofJava.getAcceptedIssuers())
        .hasSize(ofJava.getAcceptedIssuers().length + 1);
  }

  @Test
  void aClockThatIsBehindTakesWhatWasJustMade() throws Exception {
    Certificates.make(settings, identity, now);
    own("kafka").checkValidity(Date.from(now.minus(Duration.ofHours(1))));
  }

  @Test
  void anAuthorityThatEndsBeforeWhatItSignsIsReplaced() throws Exception {
    Certificates.make(settings, identity, now);
    String authority = text(certificates.authority("kafka"));
    Certificates.make(settings, identity, now.plus(Duration.ofDays(3_650 - 500)));
    assertThat(text(certificates.authority("kafka"))).isNotEqualTo(authority);
    assertThat(text(certificates.trusted("kafka")))
        .isEqualTo(text(certificates.authority("kafka")));
  }

  @Test
  void whatAKilledLauncherLeftIsFinished() throws Exception {
    Instant later = now.plus(Duration.ofDays(3_650 - 500));
    Certificates.make(settings, identity, now);
    Map<Path, byte[]> before = new HashMap<>();
    for (Path file :
        List.of(
            certificates.keyStore("druid"),
            certificates.certificate("druid"),
            certificates.trustStore("platform-api"),
            certificates.trusted("platform-api"))) {
      before.put(file, Files.readAllBytes(file));
    }
    Certificates.make(settings, identity, later);
    for (Map.Entry<Path, byte[]> file : before.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }

    Certificates.make(settings, identity, now);
    trust("platform-api").checkServerTrusted(new X509Certificate[] {own("druid")}, "RSA");
    assertThat(text(certificates.trusted("platform-api")))
        .isEqualTo(text(certificates.authority("druid")));
  }

  @Test
  void aStackThatTakesEverybodyHasNoneToRenew() {
    StackSettings open = StackSettings.fromEnvironment(root, Map.of());
    assertThatThrownBy(() -> Security.renewCertificates(open, identity, now))
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("TIDEMARK_SECURITY=tls");
  }

  private X509Certificate own(String name) throws Exception {
    try (InputStream in = Files.newInputStream(certificates.certificate(name))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private X509TrustManager trust(String name) throws Exception {
    KeyStore store =
        KeyStore.getInstance(
            certificates.trustStore(name).toFile(), certificates.password().toCharArray());
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    return (X509TrustManager) managers.getTrustManagers()[0];
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file);
  }

  private static String permissions(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

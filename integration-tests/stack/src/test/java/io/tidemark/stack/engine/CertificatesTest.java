package io.tidemark.stack.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {
  @TempDir private Path root;

  @Test
  void certificatesStayUntilTheyAreNearlyTooOldAndAreTheirOwnersAlone() throws Exception {
    StackSettings settings =
        StackSettings.fromEnvironment(root, Map.of("TIDEMARK_SECURITY", "tls"));
    StackIdentity identity =
        StackIdentity.loadOrDraw(root.resolve("secrets.env"), new SecureRandom());
    Certificates certificates = new Certificates(settings, identity);
    Instant now = Instant.now();
    Certificates.make(settings, identity, now);
    String druid = Files.readString(certificates.certificate("druid"));
    String taken = Files.readString(certificates.trusted("platform-api"));
    assertThat(taken).isEqualTo(druid);
    assertThat(Files.readString(certificates.trusted("flink")))
        .isEqualTo(Files.readString(certificates.certificate("lifecycle")));

    Certificates.make(settings, identity, now.plus(Duration.ofDays(300)));
    assertThat(Files.readString(certificates.certificate("druid"))).isEqualTo(druid);

    Certificates.make(settings, identity, now.plus(Duration.ofDays(380)));
    assertThat(Files.readString(certificates.certificate("druid"))).isNotEqualTo(druid);
    assertThat(Files.readString(certificates.trusted("platform-api")))
        .isEqualTo(Files.readString(certificates.certificate("druid")));

    Path folder = certificates.certificate("druid").getParent();
    assertThat(permissions(folder)).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(file -> !file.toString().endsWith("-trusted.p12")))
          .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
    }
  }

  private static String permissions(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

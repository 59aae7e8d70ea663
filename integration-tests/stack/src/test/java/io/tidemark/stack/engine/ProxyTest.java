package io.tidemark.stack.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyTest {
  @TempDir private Path root;

  @BeforeEach
  void program() throws Exception {
    Path program = root.resolve(".tidemark/tools/haproxy/usr/sbin/haproxy");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  /** Doors of the configuration, by the name of the listening port. */
  private String doors(String security) throws Exception {
    StackSettings settings =
        StackSettings.fromEnvironment(root, Map.of("TIDEMARK_SECURITY", security));
    StackIdentity identity =
        StackIdentity.loadOrDraw(root.resolve("secrets.env"), new SecureRandom());
    ProcessSpec process =
        new ProcessSpec(
            "platform-api-1",
            List.of(),
            Map.of(),
            List.of(),
            List.of(),
            Map.of(),
            () -> {},
            () -> true,
            () -> {},
            Duration.ZERO,
            new ProcessSpec.Stop("TERM", Duration.ZERO));
    new Proxy(settings, identity, List.of(process)).spec().prepare().run();
    return Files.readString(settings.data(Proxy.ID).resolve("haproxy.cfg"));
  }

  @Test
  void encryptedDoorsGoThroughUnreadAndTheirCertificateIsLookedAt() throws Exception {
    String authority = root.resolve(".tidemark/certificates/doors-authority.pem").toString();
    assertThat(doors("tls"))
        .doesNotContain("mode http\n", "forwardfor")
        .contains(
            "  server 1 127.0.0.1:18210 check port 18210 inter 1s check-ssl verify required ca-file "
                + authority
                + "\n",
            "  server 1 127.0.0.1:18211 track platform-api/1\n");
    assertThat(
            Proxy.environment(
                StackSettings.fromEnvironment(root, Map.of("TIDEMARK_SECURITY", "tls"))))
        .containsOnlyKeys("TIDEMARK_DRAIN");
  }

  @Test
  void plainDoorsAreReadByRequestAndSayWhoseTheRequestIs() throws Exception {
    assertThat(doors("none")).contains("mode http\n  option forwardfor").doesNotContain("ssl");
    assertThat(Proxy.environment(StackSettings.fromEnvironment(root, Map.of())))
        .containsOnlyKeys("TIDEMARK_DRAIN", "TIDEMARK_TRUSTED_PROXIES");
  }
}

package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackIdentityTest {
  @Test
  void whatWasDrawnStaysAndIsPrivate(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("secrets.env");
    StackIdentity first = StackIdentity.loadOrDraw(file, new SecureRandom());
    assertThat(StackIdentity.loadOrDraw(file, new SecureRandom())).isEqualTo(first);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void theSecretBeforeIsStillAccepted(@TempDir Path folder) {
    Path file = folder.resolve("secrets.env");
    StackIdentity before = StackIdentity.loadOrDraw(file, new SecureRandom());
    assertThat(before.get("TIDEMARK_SIGN_IN_ACCEPTED_SECRETS")).isEmpty();

    StackIdentity.rotate(file, "sign-in-secret", new SecureRandom());
    StackIdentity after = StackIdentity.rotate(file, "api-key-pepper", new SecureRandom());

    assertThat(after.get("TIDEMARK_SIGN_IN_SECRET"))
        .isNotEqualTo(before.get("TIDEMARK_SIGN_IN_SECRET"));
    assertThat(after.get("TIDEMARK_SIGN_IN_ACCEPTED_SECRETS"))
        .isEqualTo(before.get("TIDEMARK_SIGN_IN_SECRET"));
    assertThat(after.get("TIDEMARK_API_KEY_ACCEPTED_PEPPERS"))
        .isEqualTo(before.get("TIDEMARK_API_KEY_PEPPER"));
  }

  @Test
  void oneSecretIsDrawnAnewAndTheOthersStay(@TempDir Path folder) {
    Path file = folder.resolve("secrets.env");
    StackIdentity before = StackIdentity.loadOrDraw(file, new SecureRandom());
    StackIdentity after = StackIdentity.rotate(file, "application-password", new SecureRandom());
    for (String name : before.values().keySet()) {
      if (name.equals("TIDEMARK_POSTGRES_APPLICATION_PASSWORD")) {
        assertThat(after.get(name)).isNotEqualTo(before.get(name));
      } else {
        assertThat(after.get(name)).as(name).isEqualTo(before.get(name));
      }
    }
    assertThat(StackIdentity.loadOrDraw(file, new SecureRandom())).isEqualTo(after);
    assertThatThrownBy(() -> StackIdentity.rotate(file, "pepper", new SecureRandom()))
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("application-password");
  }
}

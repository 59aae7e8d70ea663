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
  void keysFollowTheContract() {
    String key = StackIdentity.apiKey("env-demo", new SecureRandom());
    assertThat(key).matches("tdm_env-demo_[A-Z2-7]{16}_[0-9A-Za-z]{46}");
    String unsigned = key.substring(0, key.length() - 6);
    assertThat(key).endsWith(StackIdentity.checksum(unsigned));
  }

  @Test
  void checksumIsCrc32InSixBase62Digits() {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262 in every textbook.
    assertThat(StackIdentity.checksum("123456789")).isEqualTo(base62(3421780262L));
    assertThat(StackIdentity.checksum("")).isEqualTo("000000");
  }

  @Test
  void whatWasDrawnStaysAndIsPrivate(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("secrets.env");
    StackIdentity first = StackIdentity.loadOrDraw(file, new SecureRandom());
    assertThat(StackIdentity.loadOrDraw(file, new SecureRandom())).isEqualTo(first);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  private static String base62(long number) {
    String alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    StringBuilder digits = new StringBuilder();
    for (long rest = number; rest > 0; rest /= 62) {
      digits.insert(0, alphabet.charAt((int) (rest % 62)));
    }
    return "0".repeat(6 - digits.length()) + digits;
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

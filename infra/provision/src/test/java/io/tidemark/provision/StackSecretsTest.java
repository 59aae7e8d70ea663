package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackSecretsTest {
  @Test
  void keysFollowTheContract() {
    String key = StackSecrets.apiKey("env-demo", new SecureRandom());
    assertThat(key).matches("tdm_env-demo_[A-Z2-7]{16}_[0-9A-Za-z]{46}");
    String unsigned = key.substring(0, key.length() - 6);
    assertThat(key).endsWith(StackSecrets.checksum(unsigned));
  }

  @Test
  void checksumIsCrc32InSixBase62Digits() {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262 in every textbook.
    assertThat(StackSecrets.checksum("123456789")).isEqualTo(base62(3421780262L));
    assertThat(StackSecrets.checksum("")).isEqualTo("000000");
  }

  @Test
  void whatIsKnownStaysAndNoTwoAreAlike() {
    Map<String, String> drawn =
        StackSecrets.complete(Map.of("TIDEMARK_POSTGRES_PASSWORD", "mine"), new SecureRandom());

    assertThat(drawn).containsEntry("TIDEMARK_POSTGRES_PASSWORD", "mine");
    assertThat(StackSecrets.complete(drawn, new SecureRandom())).isEqualTo(drawn);
    // Two name what was before, and nothing was.
    assertThat(new HashSet<>(drawn.values())).hasSize(drawn.size() - 1);
  }

  private static String base62(long number) {
    String alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    StringBuilder digits = new StringBuilder();
    for (long rest = number; rest > 0; rest /= 62) {
      digits.insert(0, alphabet.charAt((int) (rest % 62)));
    }
    return "0".repeat(6 - digits.length()) + digits;
  }
}

package io.tidemark.platform.testing;

import io.tidemark.platform.access.domain.ApiKeyText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Keys with known texts. */
public final class TestingKeys {

  private TestingKeys() {}

  /** A whole key; the letter makes it different from others. */
  public static String key(String environment, char letter) {
    String before =
        "tdm_"
            + environment
            + "_"
            + String.valueOf(letter).repeat(16)
            + "_"
            + String.valueOf(letter).repeat(40);
    return before + ApiKeyText.checksum(before);
  }

  /** The Authorization header with the whole key. */
  public static String bearer(String key) {
    return "Bearer " + key;
  }

  /** The Authorization header with id and secret of the key. */
  public static String basic(String key) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString(
                String.join(":", userAndPassword(key)).getBytes(StandardCharsets.UTF_8));
  }

  /** Id and secret of the key, as Basic credentials have them. */
  public static String[] userAndPassword(String key) {
    ApiKeyText text = ApiKeyText.parse(key).orElseThrow();
    return new String[] {text.id(), text.secretWithChecksum()};
  }
}

package io.tidemark.platform.access.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTextTest {

  private static final String SECRET = "0123456789abcdefghijABCDEFGHIJ0123456789";
  private static final String BEFORE_CHECKSUM = "tdm_env-demo_ABCDEFGHIJKLMN27_" + SECRET;

  @Test
  void checksumIsCrc32InSixBase62Digits() {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262, which is 3jZRME in base 62.
    assertThat(ApiKeyText.checksum("123456789")).isEqualTo("3jZRME");
  }

  @Test
  void checksumIsPaddedOnTheLeft() {
    assertThat(ApiKeyText.checksum("")).isEqualTo("000000");
  }

  @Test
  void aWholeKeyIsReadInItsParts() {
    String key = BEFORE_CHECKSUM + ApiKeyText.checksum(BEFORE_CHECKSUM);
    ApiKeyText parsed = ApiKeyText.parse(key).orElseThrow();
    assertThat(parsed.environment()).isEqualTo("env-demo");
    assertThat(parsed.id()).isEqualTo("ABCDEFGHIJKLMN27");
    assertThat(parsed.secretWithChecksum())
        .isEqualTo(SECRET + ApiKeyText.checksum(BEFORE_CHECKSUM));
    assertThat(ApiKeyText.faultOf(key)).isEmpty();
  }

  @Test
  void aMistypedCharacterIsFoundWithoutTheDatabase() {
    String key = BEFORE_CHECKSUM + ApiKeyText.checksum(BEFORE_CHECKSUM);
    String mistyped = key.replace("0123456789abc", "0123456789abd");
    assertThat(ApiKeyText.parse(mistyped)).isEmpty();
    assertThat(ApiKeyText.faultOf(mistyped)).get().asString().contains("checksum");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tdm_",
        "tdm_env_ABCDEFGHIJKLMN27_short",
        "TDM_env-demo_ABCDEFGHIJKLMN27_0123456789abcdefghijABCDEFGHIJ0123456789000000",
        "tdm_env_demo_ABCDEFGHIJKLMN27_0123456789abcdefghijABCDEFGHIJ0123456789000000",
        "tdm_env-demo_ABCDEFGHIJKLMN18_0123456789abcdefghijABCDEFGHIJ0123456789000000",
      })
  void otherTextsAreNotKeys(String text) {
    assertThat(ApiKeyText.parse(text)).isEmpty();
    assertThat(ApiKeyText.faultOf(text)).isPresent();
  }

  @Test
  void theSecretIsNotPrinted() {
    String key = BEFORE_CHECKSUM + ApiKeyText.checksum(BEFORE_CHECKSUM);
    assertThat(ApiKeyText.parse(key).orElseThrow().toString()).doesNotContain(SECRET);
  }

  @Test
  void aDrawnKeyIsWellFormedAndNoTwoAreEqual() {
    SecureRandom random = new SecureRandom();
    ApiKeyText one = ApiKeyText.draw("env-a", random);
    assertThat(ApiKeyText.parse(one.whole())).contains(one);
    assertThat(ApiKeyText.draw("env-a", random)).isNotEqualTo(one);
    assertThat(one.toString()).doesNotContain(one.secretWithChecksum());
  }

  @Test
  void aSecretOfTheCallersOwnMakesAKeyLikeADrawnOne() {
    ApiKeyText key = ApiKeyText.of("env-a", SECRET, new SecureRandom());
    assertThat(ApiKeyText.parse(key.whole())).contains(key);
    assertThat(key.secretWithChecksum()).startsWith(SECRET);
    assertThat(ApiKeyText.isSecret(SECRET)).isTrue();
    assertThat(ApiKeyText.isSecret(SECRET + "0")).isFalse();
    assertThat(ApiKeyText.isSecret("-" + SECRET.substring(1))).isFalse();
    assertThat(ApiKeyText.isSecret("abcdefghijklm".repeat(4).substring(0, 40)))
        .as("few different characters")
        .isFalse();
  }
}

package io.tidemark.platform.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretSealerTest {

  private static final byte[] OPEN = "a private key".getBytes(StandardCharsets.UTF_8);

  private final SecretSealer sealing =
      new SecretSealer("a secret of at least 32 characters", new SecureRandom());

  @Test
  void whatIsSealedOpensForItsPurposeAndPlaceOnly() throws GeneralSecurityException {
    byte[] sealed = sealing.seal("keys", "key-1", OPEN);
    assertThat(sealing.open("keys", "key-1", sealed)).isEqualTo(OPEN);
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("private");
    assertThat(sealing.seal("keys", "key-1", OPEN)).isNotEqualTo(sealed);
    assertThatThrownBy(() -> sealing.open("codes", "key-1", sealed))
        .isInstanceOf(GeneralSecurityException.class);
    assertThatThrownBy(() -> sealing.open("keys", "key-2", sealed))
        .isInstanceOf(GeneralSecurityException.class);
    SecretSealer other =
        new SecretSealer("another secret of 32 characters at least", new SecureRandom());
    assertThatThrownBy(() -> other.open("keys", "key-1", sealed))
        .isInstanceOf(GeneralSecurityException.class);
    sealed[sealed.length - 1] ^= 1;
    assertThatThrownBy(() -> sealing.open("keys", "key-1", sealed))
        .isInstanceOf(GeneralSecurityException.class);
  }

  @Test
  void whatAnAcceptedSecretMadeIsTakenAndMadeAnew() throws GeneralSecurityException {
    String replaced = "another secret of 32 characters at least";
    SecretSealer both =
        new SecretSealer(
            replaced, List.of("a secret of at least 32 characters"), new SecureRandom());
    SecretSealer after = new SecretSealer(replaced, new SecureRandom());
    byte[] sealed = sealing.seal("keys", "key-1", OPEN);
    byte[] mark = sealing.mark("cookie", "id");

    assertThat(both.open("keys", "key-1", sealed)).isEqualTo(OPEN);
    assertThat(both.isMark("cookie", "id", mark)).isTrue();
    assertThat(both.marks("cookie", "id")).containsExactly(after.mark("cookie", "id"), mark);
    byte[] renewed = both.renewed("keys", "key-1", sealed).orElseThrow();
    assertThat(after.open("keys", "key-1", renewed)).isEqualTo(OPEN);
    assertThat(both.renewed("keys", "key-1", renewed)).isEmpty();
    assertThatThrownBy(() -> both.renewed("keys", "key-2", sealed))
        .isInstanceOf(GeneralSecurityException.class);
    assertThat(after.isMark("cookie", "id", mark)).isFalse();
  }

  @Test
  void marksAreOfTheTextAndThePurpose() {
    byte[] mark = sealing.mark("cookie", "id");
    assertThat(sealing.isMark("cookie", "id", mark)).isTrue();
    assertThat(sealing.isMark("cookie", "ie", mark)).isFalse();
    assertThat(sealing.isMark("other", "id", mark)).isFalse();
    assertThat(sealing.isMark("cookie", "id", new byte[0])).isFalse();
  }
}

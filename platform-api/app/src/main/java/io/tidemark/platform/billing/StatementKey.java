package io.tidemark.platform.billing;

import io.tidemark.platform.signin.SecretSealer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import org.springframework.stereotype.Component;

/**
 * Signs statements with the Ed25519 key of the installation. The key is made of the secret of the
 * installation, so every process has the same and none is stored.
 */
@Component
class StatementKey {

  private static final String ALGORITHM = "Ed25519";

  private final PrivateKey own;
  private final PublicKey shown;

  StatementKey(BillingProperties properties) {
    byte[] seed =
        new SecretSealer(properties.secret(), new SecureRandom())
            .mark("reconciliation statement", "ed25519");
    try {
      own =
          KeyFactory.getInstance(ALGORITHM)
              .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
      shown = pair(seed).getPublic();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java platform has Ed25519", impossible);
    }
  }

  /** The JDK makes the public half only together with a private one that it draws. */
  private static KeyPair pair(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
    generator.initialize(NamedParameterSpec.ED25519, new FixedSeed(seed));
    return generator.generateKeyPair();
  }

  private static final class FixedSeed extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] seed;

    private FixedSeed(byte[] seed) {
      super(null, null);
      this.seed = seed.clone();
    }

    @Override
    public void nextBytes(byte[] bytes) {
      System.arraycopy(seed, 0, bytes, 0, bytes.length);
    }
  }

  /** The public key as X.509 has it. */
  byte[] publicKey() {
    return shown.getEncoded();
  }

  /** A signature of the text in UTF-8. */
  byte[] sign(String text) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(own);
      signature.update(text.getBytes(StandardCharsets.UTF_8));
      return signature.sign();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("An Ed25519 key signs everything", impossible);
    }
  }
}

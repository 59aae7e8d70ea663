package io.tidemark.platform.access.domain;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 over secrets with a pepper. A slow password hash is not needed: the secrets are
 * random, with more than 230 bits.
 */
public final class SecretHash {

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec pepper;

  public SecretHash(byte[] pepper) {
    this.pepper = new SecretKeySpec(pepper, ALGORITHM);
  }

  /** The 32 bytes that are stored for a secret. */
  public byte[] of(String secretWithChecksum) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(pepper);
      return mac.doFinal(secretWithChecksum.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java platform has " + ALGORITHM, impossible);
    }
  }

  /** Whether the secret is the one stored, in time that does not depend on how much is equal. */
  public boolean matches(String secretWithChecksum, byte[] stored) {
    return MessageDigest.isEqual(of(secretWithChecksum), stored);
  }
}

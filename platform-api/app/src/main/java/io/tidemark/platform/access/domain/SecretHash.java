package io.tidemark.platform.access.domain;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 over secrets with a pepper. A slow password hash is not needed: the secrets are
 * random, with more than 230 bits.
 */
public final class SecretHash {

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec pepper;
  private final List<SecretKeySpec> accepted;

  public SecretHash(byte[] pepper) {
    this(pepper, List.of());
  }

  /**
   * @param accepted other peppers whose hashes are taken while the pepper is replaced
   */
  public SecretHash(byte[] pepper, List<byte[]> accepted) {
    this.pepper = new SecretKeySpec(pepper, ALGORITHM);
    this.accepted = accepted.stream().map(one -> new SecretKeySpec(one, ALGORITHM)).toList();
  }

  /** The 32 bytes that are stored for a secret. */
  public byte[] of(String secretWithChecksum) {
    return of(pepper, secretWithChecksum);
  }

  private static byte[] of(SecretKeySpec pepper, String secretWithChecksum) {
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
    boolean isEqual = MessageDigest.isEqual(of(secretWithChecksum), stored);
    for (SecretKeySpec other : accepted) {
      isEqual |= MessageDigest.isEqual(of(other, secretWithChecksum), stored);
    }
    return isEqual;
  }

  /** What is to be stored instead for a secret that matches; empty for what is there. */
  public Optional<byte[]> renewed(String secretWithChecksum, byte[] stored) {
    if (accepted.isEmpty()) {
      return Optional.empty();
    }
    byte[] present = of(secretWithChecksum);
    return MessageDigest.isEqual(present, stored) ? Optional.empty() : Optional.of(present);
  }
}

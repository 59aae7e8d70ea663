package io.tidemark.platform.signin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What is done with the secret of sign-in, which is not in the database: for each purpose a key of
 * its own is made from it (HMAC-SHA-256), with which texts are marked and bytes sealed
 * (AES-256-GCM). What was marked or sealed for one purpose is nothing for another.
 */
public final class SecretSealer {

  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final byte[] secret;
  private final SecureRandom random;

  /**
   * @param secret of the installation, 32 characters or more
   */
  public SecretSealer(String secret, SecureRandom random) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    this.random = random;
  }

  /** A mark that only who has the secret can make; 32 bytes. */
  public byte[] mark(String purpose, String text) {
    return hmac(hmac(secret, "mark " + purpose), text);
  }

  /** Whether the mark is that of the text; takes as long for wrong ones. */
  public boolean isMark(String purpose, String text, byte[] mark) {
    return MessageDigest.isEqual(mark(purpose, text), mark);
  }

  /**
   * The bytes, unreadable and unchangeable without the secret.
   *
   * @param place where they are kept; sealed bytes put elsewhere do not open
   */
  public byte[] seal(String purpose, String place, byte[] open) {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, purpose, place, nonce).doFinal(open);
      return ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java platform has AES-GCM", impossible);
    }
  }

  /**
   * The bytes that were sealed.
   *
   * @throws GeneralSecurityException when they were sealed with another secret, for another place,
   *     or changed since
   */
  public byte[] open(String purpose, String place, byte[] sealed) throws GeneralSecurityException {
    if (sealed.length <= NONCE) {
      throw new GeneralSecurityException("Too short to be sealed");
    }
    byte[] nonce = new byte[NONCE];
    System.arraycopy(sealed, 0, nonce, 0, NONCE);
    return cipher(Cipher.DECRYPT_MODE, purpose, place, nonce)
        .doFinal(sealed, NONCE, sealed.length - NONCE);
  }

  private Cipher cipher(int mode, String purpose, String place, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode,
        new SecretKeySpec(hmac(secret, "seal " + purpose), "AES"),
        new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java platform has HMAC-SHA-256", impossible);
    }
  }
}

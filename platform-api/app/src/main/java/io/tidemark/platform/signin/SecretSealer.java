package io.tidemark.platform.signin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What is done with the secret of sign-in, which is not in the database: for each purpose a key of
 * its own is made from it (HMAC-SHA-256), with which texts are marked and bytes sealed
 * (AES-256-GCM). What was marked or sealed for one purpose is nothing for another. While the secret
 * is replaced, what was made with another accepted one is taken, too; nothing more is made with it.
 */
public final class SecretSealer {

  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final byte[] secret;
  private final List<byte[]> taken;
  private final SecureRandom random;

  /**
   * @param secret of the installation, 32 characters or more
   */
  public SecretSealer(String secret, SecureRandom random) {
    this(secret, List.of(), random);
  }

  /**
   * @param secret of the installation, 32 characters or more
   * @param accepted others that are taken beside it
   */
  public SecretSealer(String secret, List<String> accepted, SecureRandom random) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    this.taken =
        Stream.concat(Stream.of(secret), accepted.stream())
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toList();
    this.random = random;
  }

  /** Whether there is another secret than the present one. */
  public boolean acceptsOthers() {
    return taken.size() > 1;
  }

  /** A mark that only who has the secret can make; 32 bytes. */
  public byte[] mark(String purpose, String text) {
    return hmac(hmac(secret, "mark " + purpose), text);
  }

  /** The marks that are taken for the text, the present one first. */
  public List<byte[]> marks(String purpose, String text) {
    return taken.stream().map(one -> hmac(hmac(one, "mark " + purpose), text)).toList();
  }

  /** Whether the mark is one of the text; takes as long for wrong ones. */
  public boolean isMark(String purpose, String text, byte[] mark) {
    boolean isOne = false;
    for (byte[] one : marks(purpose, text)) {
      isOne |= MessageDigest.isEqual(one, mark);
    }
    return isOne;
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
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, secret, purpose, place, nonce).doFinal(open);
      return ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java platform has AES-GCM", impossible);
    }
  }

  /**
   * The bytes that were sealed.
   *
   * @throws GeneralSecurityException when they were sealed with a secret that is not taken, for
   *     another place, or changed since
   */
  public byte[] open(String purpose, String place, byte[] sealed) throws GeneralSecurityException {
    for (byte[] one : taken.subList(0, taken.size() - 1)) {
      try {
        return open(one, purpose, place, sealed);
      } catch (GeneralSecurityException otherSecret) {
        // One of the rest.
      }
    }
    return open(taken.get(taken.size() - 1), purpose, place, sealed);
  }

  /**
   * The same bytes sealed with the present secret; empty when they are.
   *
   * @throws GeneralSecurityException as {@link #open}
   */
  public Optional<byte[]> renewed(String purpose, String place, byte[] sealed)
      throws GeneralSecurityException {
    try {
      open(secret, purpose, place, sealed);
      return Optional.empty();
    } catch (GeneralSecurityException otherSecret) {
      return Optional.of(seal(purpose, place, open(purpose, place, sealed)));
    }
  }

  private static byte[] open(byte[] secret, String purpose, String place, byte[] sealed)
      throws GeneralSecurityException {
    if (sealed.length <= NONCE) {
      throw new GeneralSecurityException("Too short to be sealed");
    }
    byte[] nonce = new byte[NONCE];
    System.arraycopy(sealed, 0, nonce, 0, NONCE);
    return cipher(Cipher.DECRYPT_MODE, secret, purpose, place, nonce)
        .doFinal(sealed, NONCE, sealed.length - NONCE);
  }

  private static Cipher cipher(int mode, byte[] secret, String purpose, String place, byte[] nonce)
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

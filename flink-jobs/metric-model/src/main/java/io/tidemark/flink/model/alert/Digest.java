package io.tidemark.flink.model.alert;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Identifiers that follow from what they name. */
final class Digest {

  private static final int BYTES = 16;

  private Digest() {}

  /** 32 hexadecimal digits; the length of each part is hashed too, so that parts do not run on. */
  static String hex(String... parts) {
    return HexFormat.of().formatHex(hash(parts), 0, BYTES);
  }

  /** The same with 64 digits. */
  static String longHex(String... parts) {
    return HexFormat.of().formatHex(hash(parts));
  }

  private static byte[] hash(String... parts) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        hash.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        hash.update(bytes);
      }
      return hash.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}

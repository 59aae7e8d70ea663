package io.tidemark.flink.model.series;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The 128-bit identity of a series: the first half of a SHA-256 over the descriptor. A
 * cryptographic hash, so that nobody can craft labels that collide with another tenant's series.
 * The text that is hashed is part of the contract with stored state and rows: changing it splits
 * every series.
 *
 * @param high the first 8 bytes, big endian
 * @param low the next 8 bytes
 */
public record SeriesKey(long high, long low) {

  public static SeriesKey of(SeriesDescriptor series) {
    MessageDigest digest = sha256();
    update(digest, series.organizationId());
    update(digest, series.environmentId());
    update(digest, series.metric());
    update(digest, series.kind().wireName());
    update(digest, series.unit());
    update(digest, series.resource());
    update(digest, series.attributes());
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    return new SeriesKey(hash.getLong(), hash.getLong());
  }

  /** 32 lower-case hexadecimal digits. */
  public String hex() {
    HexFormat format = HexFormat.of();
    return format.toHexDigits(high) + format.toHexDigits(low);
  }

  /**
   * Written out because it decides where state lives; a record's own hash may change with the JDK.
   */
  @Override
  public int hashCode() {
    long folded = high ^ low;
    return (int) (folded ^ (folded >>> 32));
  }

  private static void update(MessageDigest digest, Map<String, String> attributes) {
    digest.update(lengthPrefix(attributes.size()));
    for (Map.Entry<String, String> attribute : new TreeMap<>(attributes).entrySet()) {
      update(digest, attribute.getKey());
      update(digest, attribute.getValue());
    }
  }

  /**
   * The length goes first, so that moving a character from one field to the next changes the hash.
   */
  private static void update(MessageDigest digest, String field) {
    byte[] bytes = field.getBytes(UTF_8);
    digest.update(lengthPrefix(bytes.length));
    digest.update(bytes);
  }

  private static byte[] lengthPrefix(int length) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}

package io.tidemark.platform.billing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The arithmetic of the usage ledger's chain; docs/reference/billing.md describes it. */
final class UsageChain {

  /** What the first entry has for the hash of the one before. */
  static final String BEGINNING = "0".repeat(64);

  private UsageChain() {}

  /** The hash that the entry must have, whatever it says its hash is. */
  static String hash(UsageEntry entry) {
    return hash(
        entry.previousHash(),
        entry.organization(),
        Long.toString(entry.sequence()),
        entry.recordId(),
        entry.meter(),
        Integer.toString(entry.metersVersion()),
        entry.environment(),
        entry.resourceType(),
        entry.resourceId(),
        entry.metric(),
        entry.units().toBigIntegerExact().toString(),
        entry.hour().toString(),
        entry.ratedHour().toString(),
        entry.billedMonth().toString(),
        entry.reason(),
        entry.meteredAt().toString(),
        entry.recordedAt().toString(),
        Integer.toString(entry.sourcePartition()),
        Long.toString(entry.sourceOffset()));
  }

  /** SHA-256 of texts; null is not the empty text. */
  static String hash(@Nullable String... texts) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
    for (String text : texts) {
      // Lengths keep texts apart: no other division into fields gives the same bytes.
      byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(4).putInt(text == null ? -1 : bytes.length).array());
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}

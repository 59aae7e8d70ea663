package io.tidemark.platform.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The arithmetic of the chain. The contract describes it (schema AuditEntry), so that anybody can
 * verify an export; it never changes.
 */
final class AuditChain {

  /** What the first entry has for the hash of the one before. */
  static final String BEGINNING = "0".repeat(64);

  private AuditChain() {}

  /** The hash that the entry must have, whatever it says its hash is. */
  static String hash(AuditEntry entry) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
    for (String text :
        new String[] {
          entry.previousHash(),
          entry.organization(),
          Long.toString(entry.sequence()),
          entry.atText(),
          entry.actor().kind(),
          entry.actor().id(),
          entry.actor().address(),
          entry.action(),
          entry.objectType(),
          entry.objectId(),
          entry.outcome(),
          entry.reason(),
          entry.before(),
          entry.after()
        }) {
      // Lengths keep texts apart: no other division into fields gives the same bytes.
      byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(4).putInt(text == null ? -1 : bytes.length).array());
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}

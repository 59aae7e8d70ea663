package io.tidemark.flink.model.usage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Identifies a usage record: SHA-256 of its hour and of the place of the first batch it holds. No
 * batch is in two committed records of one hour, so no two of them are equal, across restarts too,
 * without anything being remembered.
 */
public final class UsageRecordId {

  private UsageRecordId() {}

  /** 64 hexadecimal digits. */
  public static String of(UsageHour hour, int partition, long offset) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
    UsageSubject subject = hour.subject();
    for (String text :
        List.of(
            subject.organizationId(),
            subject.environmentId(),
            subject.resourceType(),
            subject.resourceId(),
            subject.metric(),
            Long.toString(hour.startUnixMs()),
            Integer.toString(partition),
            Long.toString(offset))) {
      // Lengths keep texts apart: no other division into fields gives the same bytes.
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}

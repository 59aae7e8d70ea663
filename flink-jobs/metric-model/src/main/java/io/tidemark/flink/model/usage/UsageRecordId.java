package io.tidemark.flink.model.usage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Identifies a usage record: SHA-256 of its hour and of the place of the first increment, series or
 * batch it holds. None is in two committed records of one hour, so no two of them are equal, across
 * restarts too, without anything being remembered.
 */
public final class UsageRecordId {

  private UsageRecordId() {}

  /** 64 hexadecimal digits, of what was counted from batches. */
  public static String of(UsageHour hour, int partition, long offset) {
    return of(hour, List.of(Integer.toString(partition), Long.toString(offset)));
  }

  /**
   * 64 hexadecimal digits.
   *
   * @param topic empty for batches, whose topic is the only one that has them
   * @param line of the record at that place; 0 for all of it
   */
  public static String of(
      UsageHour hour, UsageOrigin origin, String topic, int partition, long offset, int line) {
    return origin == UsageOrigin.POINTS && topic.isEmpty()
        ? of(hour, partition, offset)
        : of(
            hour,
            List.of(
                Integer.toString(partition),
                Long.toString(offset),
                origin.name(),
                topic,
                Integer.toString(line)));
  }

  private static String of(UsageHour hour, List<String> place) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
    UsageSubject subject = hour.subject();
    List<String> texts =
        new ArrayList<>(
            List.of(
                subject.organizationId(),
                subject.environmentId(),
                subject.resourceType(),
                subject.resourceId(),
                subject.metric(),
                Long.toString(hour.startUnixMs())));
    texts.addAll(place);
    for (String text : texts) {
      // Lengths keep texts apart: no other division into fields gives the same bytes.
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}

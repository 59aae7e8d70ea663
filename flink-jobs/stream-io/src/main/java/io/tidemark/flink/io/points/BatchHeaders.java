package io.tidemark.flink.io.points;

import java.util.ArrayList;
import java.util.List;

/**
 * The rules of events/record-headers.yaml.
 *
 * @param faults what is wrong, one phrase each; empty when the record may be used
 * @param receivedAtUnixMs receive time; 0 when it cannot be read
 */
public record BatchHeaders(List<String> faults, long receivedAtUnixMs) {

  /** End of the year 9999: a later receive time is a fault, and would end all later minutes. */
  private static final long LATEST_RECEIPT = 253_402_300_799_999L;

  private static final int LONGEST_IDENTIFIER = 63;
  private static final int BATCH_ID_LENGTH = 64;
  private static final int LONGEST_TIME = 19;

  public static BatchHeaders of(PointsRecord record) {
    boolean isOrganization = isIdentifier(record.organizationId());
    boolean isEnvironment = isIdentifier(record.environmentId());
    boolean isBatch = isBatchId(record.batchId());
    long receivedAt = receivedAtUnixMs(record.receivedAt());
    if (isOrganization && isEnvironment && isBatch && receivedAt != 0) {
      return new BatchHeaders(List.of(), receivedAt);
    }
    List<String> faults = new ArrayList<>();
    require(faults, isOrganization, PointsHeaders.ORGANIZATION_ID, record.organizationId());
    require(faults, isEnvironment, PointsHeaders.ENVIRONMENT_ID, record.environmentId());
    require(faults, isBatch, PointsHeaders.BATCH_ID, record.batchId());
    require(faults, receivedAt != 0, PointsHeaders.RECEIVED_AT_UNIX_MS, record.receivedAt());
    return new BatchHeaders(List.copyOf(faults), receivedAt);
  }

  public boolean isComplete() {
    return faults.isEmpty();
  }

  /** The receive time of a header text, or 0. Never throws. */
  public static long receivedAtUnixMs(String header) {
    if (header.isEmpty() || header.length() > LONGEST_TIME) {
      return 0;
    }
    long receivedAt = 0;
    for (int i = 0; i < header.length(); i++) {
      char digit = header.charAt(i);
      if (digit < '0' || digit > '9') {
        return 0;
      }
      // Beyond the range of a long it is negative, and stays beyond the latest receipt or below 0.
      receivedAt = receivedAt * 10 + (digit - '0');
    }
    return receivedAt >= 0 && receivedAt <= LATEST_RECEIPT ? receivedAt : 0;
  }

  /** Small letters, digits and dashes, no dash first. */
  private static boolean isIdentifier(String text) {
    if (text.isEmpty() || text.length() > LONGEST_IDENTIFIER || text.charAt(0) == '-') {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char one = text.charAt(i);
      boolean isAllowed = (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9') || one == '-';
      if (!isAllowed) {
        return false;
      }
    }
    return true;
  }

  /** Small hexadecimal digits. */
  private static boolean isBatchId(String text) {
    if (text.length() != BATCH_ID_LENGTH) {
      return false;
    }
    for (int i = 0; i < BATCH_ID_LENGTH; i++) {
      char one = text.charAt(i);
      boolean isDigit = (one >= '0' && one <= '9') || (one >= 'a' && one <= 'f');
      if (!isDigit) {
        return false;
      }
    }
    return true;
  }

  private static void require(List<String> faults, boolean isMet, String header, String value) {
    if (!isMet) {
      faults.add(fault(header, value));
    }
  }

  private static String fault(String header, String value) {
    return header + (value.isEmpty() ? " is missing" : " is malformed");
  }
}

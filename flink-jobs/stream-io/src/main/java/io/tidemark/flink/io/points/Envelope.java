package io.tidemark.flink.io.points;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rules of events/record-headers.yaml.
 *
 * @param faults what is wrong, one phrase each; empty when the record may be used
 * @param receivedAtUnixMs receive time; 0 when it cannot be read
 */
public record Envelope(List<String> faults, long receivedAtUnixMs) {

  /** End of the year 9999: a later receive time is a fault, and would end all later minutes. */
  private static final long LATEST_RECEIPT = 253_402_300_799_999L;

  private static final Pattern IDENTIFIER = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final Pattern BATCH_ID = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern UNIX_MS = Pattern.compile("[0-9]{1,19}");

  public static Envelope of(PointsRecord record) {
    List<String> faults = new ArrayList<>();
    require(faults, IDENTIFIER, PointsHeaders.ORGANIZATION_ID, record.organizationId());
    require(faults, IDENTIFIER, PointsHeaders.ENVIRONMENT_ID, record.environmentId());
    require(faults, BATCH_ID, PointsHeaders.BATCH_ID, record.batchId());
    long receivedAt = receivedAtUnixMs(record.receivedAt());
    if (receivedAt == 0) {
      faults.add(fault(PointsHeaders.RECEIVED_AT_UNIX_MS, record.receivedAt()));
    }
    return new Envelope(List.copyOf(faults), receivedAt);
  }

  public boolean isComplete() {
    return faults.isEmpty();
  }

  /** The receive time of a header text, or 0. Never throws. */
  static long receivedAtUnixMs(String header) {
    if (!UNIX_MS.matcher(header).matches()) {
      return 0;
    }
    try {
      long receivedAt = Long.parseLong(header);
      return receivedAt <= LATEST_RECEIPT ? receivedAt : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static void require(List<String> faults, Pattern pattern, String header, String value) {
    if (!pattern.matcher(value).matches()) {
      faults.add(fault(header, value));
    }
  }

  private static String fault(String header, String value) {
    return header + (value.isEmpty() ? " is missing" : " is malformed");
  }
}

package io.tidemark.platform.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the log, as it is kept.
 *
 * @param sequence 1, 2, 3, … within the organisation
 * @param at to the microsecond
 * @param reason code of the problem; null when done
 * @param before JSON text; null when there was nothing before
 * @param after JSON text; null when there is nothing after
 * @param previousHash hash of the entry before, 64 hexadecimal digits
 * @param hash of this entry, see {@link AuditChain}
 */
public record AuditEntry(
    String organization,
    long sequence,
    Instant at,
    Actor actor,
    String action,
    String objectType,
    @Nullable String objectId,
    boolean done,
    @Nullable String reason,
    @Nullable String before,
    @Nullable String after,
    String previousHash,
    @Nullable String hash) {

  private static final DateTimeFormatter AT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** The time as it is shown and hashed, RFC 3339 with six fractional digits. */
  public String atText() {
    return AT.format(at);
  }

  /** The outcome as it is shown and hashed. */
  public String outcome() {
    return done ? "done" : "refused";
  }
}

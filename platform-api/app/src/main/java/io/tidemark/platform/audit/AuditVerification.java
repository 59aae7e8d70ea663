package io.tidemark.platform.audit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What reading the whole log found.
 *
 * @param entries number of entries read
 * @param sequence of the last one; 0 when there is none
 * @param hash of the last one; null when there is none
 * @param faults what is wrong, the first 20; empty when the log is intact
 */
public record AuditVerification(
    long entries, long sequence, @Nullable String hash, List<String> faults) {

  public AuditVerification {
    faults = List.copyOf(faults);
  }
}

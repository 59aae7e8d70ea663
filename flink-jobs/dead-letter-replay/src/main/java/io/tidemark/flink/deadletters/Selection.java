package io.tidemark.flink.deadletters;

import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Reason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant.
 *
 * @param organization null for all
 * @param reasons empty for all
 * @param fromMs receive time, inclusive
 * @param toMs receive time, exclusive
 */
record Selection(@Nullable String organization, Set<Reason> reasons, long fromMs, long toMs) {

  boolean includes(DeadLetter letter) {
    return (organization == null || organization.equals(letter.getOrganizationId()))
        && (reasons.isEmpty() || reasons.contains(letter.getReason()))
        && letter.getReceivedAtUnixMs() >= fromMs
        && letter.getReceivedAtUnixMs() < toMs;
  }
}

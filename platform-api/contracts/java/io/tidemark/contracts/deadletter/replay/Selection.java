package io.tidemark.contracts.deadletter.replay;

import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Reason;
import java.util.Set;

/**
 * Which dead letters are meant.
 *
 * @param organization empty for all
 * @param environment empty for all
 * @param reasons empty for all
 * @param fromMs receive time, inclusive
 * @param toMs receive time, exclusive
 */
public record Selection(
    String organization, String environment, Set<Reason> reasons, long fromMs, long toMs) {

  public Selection {
    reasons = Set.copyOf(reasons);
  }

  public boolean includes(DeadLetter letter) {
    return (organization.isEmpty() || organization.equals(letter.getOrganizationId()))
        && (environment.isEmpty() || environment.equals(letter.getEnvironmentId()))
        && (reasons.isEmpty() || reasons.contains(letter.getReason()))
        && letter.getReceivedAtUnixMs() >= fromMs
        && letter.getReceivedAtUnixMs() < toMs;
  }
}

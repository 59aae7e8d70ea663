package io.tidemark.platform.completeness;

import java.util.HashMap;
import java.util.Map;

/**
 * Up to where each tenant is complete, after the statements so far: the rule of readers in {@code
 * pipeline/v1/progress.proto}. Never goes back.
 *
 * @param completeUntil of tenants that are not behind, ms since the epoch, exclusive; {@link
 *     Long#MIN_VALUE} before the first statement
 * @param behind tenants that are complete up to less
 */
public record CompletenessProgress(long completeUntil, Map<String, Long> behind) {

  public static final CompletenessProgress NOTHING =
      new CompletenessProgress(Long.MIN_VALUE, Map.of());

  public CompletenessProgress {
    behind = Map.copyOf(behind);
  }

  /** Of one tenant. */
  public long of(String organization) {
    return behind.getOrDefault(organization, completeUntil);
  }

  /**
   * After one more statement.
   *
   * @param until what it says of everybody else
   * @param lagging what it says of tenants that lag
   */
  public CompletenessProgress after(long until, Map<String, Long> lagging) {
    long next = Math.max(completeUntil, until);
    Map<String, Long> stillBehind = new HashMap<>();
    lagging.forEach(
        (organization, lag) -> {
          long own = Math.max(of(organization), Math.min(lag, until));
          if (own < next) {
            stillBehind.put(organization, own);
          }
        });
    return new CompletenessProgress(next, stillBehind);
  }
}

package io.tidemark.flink.model.tenant;

import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.Retention;
import io.tidemark.flink.model.budget.TenantLimits;
import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a batch is counted, and how old its points may be, by what control records say of its
 * environment.
 *
 * <ul>
 *   <li>A record: counted within its budgets, unless the batch was received after the deletion.
 *   <li>None, and no census either: the gateway let the batch in, so the environment exists. Plan
 *       defaults.
 *   <li>None, and a census that was complete {@link #margin} after the batch: there is no such
 *       environment.
 *   <li>None, and an older census: the record may be on its way. The batch waits, at most {@link
 *       #patience}; then it is counted.
 * </ul>
 *
 * So a batch of an environment just created is never refused, however late its record comes.
 *
 * @param margin more than the clocks of gateway and control plane differ
 * @param patience longest wait of a batch
 * @param unstated retention of environments of which no record speaks
 */
public record AdmissionRule(Duration margin, Duration patience, Retention unstated)
    implements Serializable {

  public static final AdmissionRule DEFAULT =
      new AdmissionRule(Duration.ofSeconds(30), Duration.ofMinutes(2), PlanDefaults.RETENTION);

  /** What becomes of a batch. */
  public sealed interface Verdict permits Counted, Waits, Refused {}

  /**
   * @param limits budgets of the environment
   * @param longestAgeMs how old its points may be, measured from the receipt of the batch
   */
  public record Counted(TenantLimits limits, long longestAgeMs) implements Verdict {}

  public record Waits() implements Verdict {}

  /** {@code why} is one English sentence. */
  public record Refused(String why) implements Verdict {}

  /**
   * @param standing of the batch's environment; null when there is no record
   * @param publishedThroughUnixMs the latest census; 0 when there was none
   * @param receivedAtUnixMs receive time of the batch
   * @param metAtUnixMs processing time at which the job first met the batch
   * @param now processing time
   */
  public Verdict verdict(
      @Nullable EnvironmentSettings standing,
      long publishedThroughUnixMs,
      long receivedAtUnixMs,
      long metAtUnixMs,
      long now) {
    if (standing != null) {
      return receivedAtUnixMs >= standing.deletedFromUnixMs()
          ? new Refused("The environment was deleted.")
          : new Counted(
              standing.limits(), standing.retention().at(receivedAtUnixMs).longestAgeMs());
    }
    if (publishedThroughUnixMs == 0) {
      return byDefault();
    }
    // A receive time in the future must not keep the batch waiting.
    long existedAt = Math.min(receivedAtUnixMs, metAtUnixMs);
    if (publishedThroughUnixMs >= existedAt + margin.toMillis()) {
      return new Refused("No such environment.");
    }
    return now - metAtUnixMs >= patience.toMillis() ? byDefault() : new Waits();
  }

  /** What holds for a batch of which nothing more is known. */
  public Counted byDefault() {
    return new Counted(PlanDefaults.LIMITS, unstated.longestAgeMs());
  }
}

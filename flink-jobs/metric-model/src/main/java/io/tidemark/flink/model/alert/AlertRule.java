package io.tidemark.flink.model.alert;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version of an alert rule.
 *
 * @param effectiveFrom minutes that begin at or after it are decided by this version; milliseconds
 *     since the Unix epoch
 * @param enabledFrom the first minute since the rule was made or enabled, in the same unit; what it
 *     decided before does not go on
 * @param severity copied to transitions
 * @param forMinutes minutes in a row that the comparison holds until the alert fires
 * @param recoverAfterMinutes minutes in a row that it does not hold until the alert is normal
 * @param noDataAfterMinutes minutes in a row without a value until the state is no-data
 * @param early whether figures of a minute may raise before the minute is complete
 */
public record AlertRule(
    String organizationId,
    String environmentId,
    String ruleId,
    long version,
    long effectiveFrom,
    long enabledFrom,
    String severity,
    AlertSignal signal,
    AlertComparison comparison,
    int forMinutes,
    int recoverAfterMinutes,
    int noDataAfterMinutes,
    boolean early) {

  /** Minutes of a day: no count of minutes of a rule is greater. */
  public static final int MAX_MINUTES = 1_440;

  /** The longest window of a rule that asks for open minutes: it is looked at twice a second. */
  public static final int MAX_EARLY_MINUTES = 15;

  /** Key of the rule's control record. */
  public String key() {
    return organizationId + "/" + environmentId + "/" + ruleId;
  }

  /** Milliseconds of rows before a minute that deciding it needs. */
  public long lookbackMs() {
    return signal.lookbackMinutes() * MinuteTotals.MINUTE_MS;
  }

  /** Why it cannot be evaluated, one English sentence each; none when it can. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>(signal.faults());
    if (effectiveFrom < 0 || effectiveFrom % MinuteTotals.MINUTE_MS != 0) {
      faults.add("effective_from is not the start of a minute.");
    }
    check("for_minutes", forMinutes, 0, faults);
    check("recover_after_minutes", recoverAfterMinutes, 0, faults);
    check("no_data_after_minutes", noDataAfterMinutes, 1, faults);
    faults.addAll(comparison.faults());
    String ofEarly = faultOfEarly();
    if (ofEarly != null) {
      faults.add(ofEarly);
    }
    return faults;
  }

  /**
   * A number that only grows within a minute is too small until the minute is over: below a
   * threshold it would raise at the beginning of every minute.
   */
  private @Nullable String faultOfEarly() {
    if (!early) {
      return null;
    }
    if (signal.windowMinutes() > MAX_EARLY_MINUTES) {
      return "early: window_minutes is more than " + MAX_EARLY_MINUTES + ".";
    }
    boolean isGrowing = signal.aggregation().growsWithinMinute();
    return switch (signal.kind()) {
      case ABSENCE -> "early: absence is known only when a minute is complete.";
      case FORECAST ->
          isGrowing ? "early: a forecast needs the aggregation min, max, avg or last." : null;
      case THRESHOLD, CHANGE, ANOMALY ->
          isGrowing && !comparison.operator().isUpper()
              ? "early: sum, count and rate of an open minute are below any threshold at first."
              : null;
      case RATIO, QUANTILE -> null;
    };
  }

  static void check(String name, int minutes, int least, List<String> faults) {
    if (minutes < least || minutes > MAX_MINUTES) {
      faults.add(name + " is not " + least + " to " + MAX_MINUTES + ".");
    }
  }
}

package io.tidemark.platform.billing;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A stage of the pipeline that has other points than the one before it, and what mends it.
 *
 * @param metric empty where the stage before does not know metrics
 * @param expected of the stage before
 * @param found at this stage
 */
public record Difference(
    Instant hour,
    String environment,
    String metric,
    Stage stage,
    BigDecimal expected,
    BigDecimal found) {

  /** Where points are, in the order in which they come there. */
  public enum Stage {
    /** Of what senders were told; by hour of receipt. */
    METERED("acknowledged"),
    /** Of what was metered; by hour of receipt. */
    INVOICED("metered"),
    /** Of what was metered, as the rollup job counts it while it runs; by hour of receipt. */
    ROLLUP_JOB("metered"),
    /** Of what was metered, as raw points; by hour of receipt. */
    LAKE("metered"),
    /** Of raw points, as rows of a minute; by hour of measurement. */
    ROLLED_UP("in the lake"),
    /** Of rows of a minute in the lake; by hour of measurement. */
    DRUID("rolled up");

    private final String before;

    Stage(String before) {
      this.before = before;
    }

    boolean isMeasured() {
      return this == ROLLED_UP || this == DRUID;
    }
  }

  private BigDecimal excess() {
    return found.subtract(expected);
  }

  /** For people: where, how much, and what to do. */
  public String sentence() {
    return "Hour "
        + hour
        + (stage.isMeasured() ? " of measurement" : "")
        + ", environment "
        + environment
        + (metric.isEmpty() ? "" : ", metric " + metric)
        + ": "
        + expected.toPlainString()
        + " points "
        + stage.before
        + "; the stage "
        + stage.name().toLowerCase(java.util.Locale.ROOT)
        + " has "
        + excess().abs().toPlainString()
        + (excess().signum() < 0 ? " too few. " : " too many. ")
        + repair();
  }

  /** What mends it. */
  public String repair() {
    return switch (stage) {
      case METERED ->
          excess().signum() < 0
              ? "POST …/reconciliation/repairs for the hour enters what is missing from its usage"
                  + " records."
              : "Points that were put back from the dead letters have no acknowledgement; otherwise"
                  + " GET …/usage/verification names a record that was entered twice.";
      case INVOICED -> "GET …/usage/verification names the entry or invoice that was changed.";
      case ROLLUP_JOB ->
          "The rollup job reads what is left when it runs again; if nothing is, make replay rolls"
              + " the hour up again from the lake and names every row that differs.";
      case LAKE ->
          "A metric that was deleted since is missing; otherwise the lake job reads the topic of"
              + " points again from its last snapshot when it is started anew.";
      case ROLLED_UP, DRUID ->
          "make replay rolls the hour up again from the lake and names every row that differs.";
    };
  }

  /** Whether records of the usage topic can mend it. */
  public boolean isRepairable() {
    return stage == Stage.METERED && excess().signum() < 0;
  }
}

package io.tidemark.flink.alert;

/** Names of the job's metrics; dashboards and alerts use them. */
public final class AlertMetrics {

  /** Control records that could not be put in force; the previous version of the rule is. */
  public static final String RULES_UNREADABLE = "alertRulesUnreadable";

  /** Lines of rollup topics that are no rows. */
  public static final String ROWS_UNREADABLE = "alertRowsUnreadable";

  /** Rows of metrics that a rule looks at. */
  public static final String ROWS_MATCHED = "alertRowsMatched";

  /** Minutes of groups that were decided, again or for the first time. */
  public static final String GROUPS_EVALUATED = "alertGroupsEvaluated";

  /** Transitions sent. */
  public static final String TRANSITIONS = "alertTransitions";

  /** Records of the live topic that are no snapshots. */
  public static final String SNAPSHOTS_UNREADABLE = "alertSnapshotsUnreadable";

  /** Cells of open minutes that found no room; rules of their groups are raised late, not wrong. */
  public static final String OPEN_CELLS_LEFT_OUT = "alertOpenCellsLeftOut";

  /** Incidents that open minutes raised. */
  public static final String EARLY = "alertEarly";

  /** Usage records of evaluations handed to the sink. */
  public static final String USAGE_RECORDS = "alertUsageRecords";

  private AlertMetrics() {}
}

package io.tidemark.flink.lake.operator;

import io.tidemark.flink.io.JobMetrics;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** Every metric of the job. Names are public: dashboards and alerts use them. */
public final class LakeMetrics {

  private static final String GROUP = JobMetrics.GROUP;

  /** Rows handed to files. */
  public static final String ROWS_WRITTEN = "rowsWritten";

  /** Points and lines that could not be used; of points the rollup job writes dead letters. */
  public static final String ROWS_SKIPPED = "rowsSkipped";

  /** Files finished. */
  public static final String FILES_WRITTEN = "filesWritten";

  /** Bytes of those files. */
  public static final String BYTES_WRITTEN = "bytesWritten";

  /** Snapshots with new rows. */
  public static final String COMMITS = "commits";

  /** Files in those snapshots. */
  public static final String FILES_COMMITTED = "filesCommitted";

  /** Checkpoints found committed after a restart; more than one per restart is an alarm. */
  public static final String ALREADY_COMMITTED = "alreadyCommitted";

  /** Age of the last commit in seconds, 0 before the first; an alarm when rows arrive. */
  public static final String SINCE_LAST_COMMIT = "secondsSinceLastCommit";

  /** Finished files that no snapshot holds yet. */
  public static final String FILES_PENDING = "filesPending";

  /** Small files replaced by larger ones. */
  public static final String FILES_REWRITTEN = "filesRewritten";

  /** Rows removed because they were ordered to be: expired, or deleted by their owner. */
  public static final String ROWS_REMOVED = "rowsRemoved";

  /** Maintenance runs that failed; the table is untouched by them. */
  public static final String MAINTENANCE_FAILURES = "maintenanceFailures";

  private LakeMetrics() {}

  static Counter counter(MetricGroup operator, String name) {
    return operator.addGroup(GROUP).counter(name);
  }

  static MetricGroup group(MetricGroup operator) {
    return operator.addGroup(GROUP);
  }
}

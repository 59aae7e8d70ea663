package io.tidemark.flink.alert.signal;

/** Counts what was decided. */
public interface EvaluationCounts {

  /** A minute of groups was decided for the first time. */
  void evaluated(RuleGroups rule, long minute, int groups);

  /** Groups were decided up to a minute, which is not. */
  void reached(RuleGroups rule, long until, int groups);

  /** Groups were looked at. */
  void looked(int groups);
}

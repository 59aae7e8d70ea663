package io.tidemark.flink.model.budget;

import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums folded series until the next report: a record per metric and budget, not per series. */
public final class BudgetReports {

  /** Metrics told apart at once; the others of an environment are told as one. */
  static final int MAX_METRICS = 1_000;

  private record Subject(
      String organizationId, String environmentId, String metric, Budget budget) {}

  private record Observation(long limit, long observed, long folded) {
    Observation plus(Observation other) {
      return new Observation(
          other.limit, Math.max(observed, other.observed), folded + other.folded);
    }
  }

  private final Map<Subject, Observation> seen = new HashMap<>();

  public void folded(SeriesDescriptor series, Excess excess) {
    Subject subject = subject(series, series.metric(), excess);
    boolean isTooLong = series.metric().length() > PlanDefaults.LIMITS.labelValueLength();
    if (isTooLong || (seen.size() >= MAX_METRICS && !seen.containsKey(subject))) {
      subject = subject(series, Overflow.ANY_METRIC, excess);
    }
    seen.merge(subject, new Observation(excess.limit(), excess.observed(), 1), Observation::plus);
  }

  public boolean isEmpty() {
    return seen.isEmpty();
  }

  /** Everything since the last call. */
  public List<BudgetExceeded> take(long now) {
    List<BudgetExceeded> told = new ArrayList<>();
    seen.forEach(
        (subject, figures) ->
            told.add(
                new BudgetExceeded(
                    subject.organizationId,
                    subject.environmentId,
                    subject.metric,
                    subject.budget,
                    figures.limit,
                    figures.observed,
                    figures.folded,
                    now)));
    seen.clear();
    return told;
  }

  private static Subject subject(SeriesDescriptor series, String metric, Excess excess) {
    return new Subject(series.organizationId(), series.environmentId(), metric, excess.budget());
  }
}

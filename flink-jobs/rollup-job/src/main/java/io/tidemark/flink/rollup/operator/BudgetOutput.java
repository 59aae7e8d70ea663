package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.budget.BudgetReports;
import io.tidemark.flink.rollup.RollupMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * The side output of every operator that folds series: at most one record a minute for a metric and
 * a budget, and counters. What was not told yet is lost with the process; it is no figure.
 */
public final class BudgetOutput {

  public static final OutputTag<BudgetExceeded> TAG =
      new OutputTag<>("budgets", TypeInformation.of(BudgetExceeded.class));

  private static final long EVERY_MS = Duration.ofMinutes(1).toMillis();

  /** Metrics with a counter of their own; further ones are in the sum only. */
  private static final int MAX_COUNTERS = 1_000;

  private final MetricGroup operator;
  private final Output<?> output;
  private final BudgetReports seen = new BudgetReports();
  private final Counter folded;
  private final Map<String, Counter> byMetric = new HashMap<>();
  private long toldAt;

  BudgetOutput(MetricGroup operator, Output<?> output) {
    this.operator = operator;
    this.output = output;
    this.folded = RollupMetrics.counter(operator, RollupMetrics.SERIES_FOLDED);
  }

  BudgetReports seen() {
    return seen;
  }

  void tellWhenDue(long now) {
    if (!seen.isEmpty() && now - toldAt >= EVERY_MS) {
      tellAll(now);
    }
  }

  void tellAll(long now) {
    toldAt = now;
    for (BudgetExceeded exceeded : seen.take(now)) {
      count(exceeded);
      output.collect(TAG, new StreamRecord<>(exceeded));
    }
  }

  private void count(BudgetExceeded exceeded) {
    folded.inc(exceeded.foldedSeries());
    String name =
        String.join("/", exceeded.organizationId(), exceeded.environmentId(), exceeded.metric());
    Counter own = byMetric.get(name);
    if (own == null && byMetric.size() < MAX_COUNTERS) {
      own =
          operator
              .addGroup("tidemark")
              .addGroup("organization", exceeded.organizationId())
              .addGroup("environment", exceeded.environmentId())
              .addGroup("metric", exceeded.metric())
              .counter(RollupMetrics.SERIES_FOLDED);
      byMetric.put(name, own);
    }
    if (own != null) {
      own.inc(exceeded.foldedSeries());
    }
  }
}

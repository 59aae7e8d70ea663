package io.tidemark.flink.model.budget;

import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a series is folded.
 *
 * @param budget the budget that it exceeds
 * @param limit that was in force
 * @param observed what was held against it
 */
public record Excess(Budget budget, long limit, long observed) {

  /** What a series exceeds by its labels alone, whatever other series there are. */
  public static @Nullable Excess ofLabels(SeriesDescriptor series, TenantLimits limits) {
    int labels = series.resource().size() + series.attributes().size();
    if (labels > limits.labelsPerSeries()) {
      return new Excess(Budget.LABELS_PER_SERIES, limits.labelsPerSeries(), labels);
    }
    int longest =
        Math.max(
            Math.max(series.metric().length(), series.unit().length()),
            Math.max(longest(series.resource()), longest(series.attributes())));
    if (longest > limits.labelValueLength()) {
      return new Excess(Budget.LABEL_VALUE_LENGTH, limits.labelValueLength(), longest);
    }
    return null;
  }

  static int longest(Map<String, String> labels) {
    int longest = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      longest = Math.max(longest, Math.max(label.getKey().length(), label.getValue().length()));
    }
    return longest;
  }
}

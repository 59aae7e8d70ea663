package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Minutes that are not complete yet, as the pipeline shows them: a cache, never the record. A cell
 * stands for all committed rows of its series and minute.
 */
public interface OpenMinutes {

  /** Nothing is shown. */
  OpenMinutes NONE =
      new OpenMinutes() {
        @Override
        public OpenMinutesView shown(
            TenantId organization,
            Optional<String> metric,
            IntervalSet minutes,
            Predicate<Map<String, String>> wanted) {
          return new OpenMinutesView(OpenMinutesState.ABSENT, List.of());
        }

        @Override
        public Set<MetricKind> kindsOf(TenantId organization, String metric) {
          return Set.of();
        }
      };

  /** Cells, at most one of a series and minute. Their figures belong to the reader. */
  record OpenMinutesView(OpenMinutesState state, List<OpenMinuteCell> cells) {
    public OpenMinutesView {
      cells = List.copyOf(cells);
    }
  }

  /**
   * What is shown now.
   *
   * @param metric empty for all metrics
   * @param minutes cells of others are not told
   * @param wanted of series with these labels
   */
  OpenMinutesView shown(
      TenantId organization,
      Optional<String> metric,
      IntervalSet minutes,
      Predicate<Map<String, String>> wanted);

  /** Of what kind the shown series of a metric are; empty when none is shown. */
  Set<MetricKind> kindsOf(TenantId organization, String metric);
}

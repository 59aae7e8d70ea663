package io.tidemark.flink.model.budget;

import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of labels of some series, each with how often it is used. Names of point and of
 * resource attributes are apart, as their columns are.
 */
final class LabelKeyCounts {

  private final @Nullable LabelKeyCounts above;
  private final Map<String, Integer> ofPoints = new HashMap<>();
  private final Map<String, Integer> ofResources = new HashMap<>();

  /**
   * @param above counts each name once for this one, or null
   */
  LabelKeyCounts(@Nullable LabelKeyCounts above) {
    this.above = above;
  }

  int size() {
    return ofPoints.size() + ofResources.size();
  }

  boolean isEmpty() {
    return ofPoints.isEmpty() && ofResources.isEmpty();
  }

  /** How many there would be with a series; 0 if it has none that is new. */
  int with(SeriesDescriptor series) {
    int more = missing(ofResources, series.resource());
    if (!Overflow.isOverflow(series)) {
      more += missing(ofPoints, series.attributes());
    }
    return more == 0 ? 0 : size() + more;
  }

  /** The one name of overflow series is everybody's, and is not counted. */
  void enter(SeriesDescriptor series) {
    series.resource().keySet().forEach(name -> enter(name, true));
    if (!Overflow.isOverflow(series)) {
      series.attributes().keySet().forEach(name -> enter(name, false));
    }
  }

  void leave(SeriesDescriptor series) {
    series.resource().keySet().forEach(name -> leave(name, true));
    if (!Overflow.isOverflow(series)) {
      series.attributes().keySet().forEach(name -> leave(name, false));
    }
  }

  private void enter(String name, boolean isOfResource) {
    boolean isFirst = (isOfResource ? ofResources : ofPoints).merge(name, 1, Integer::sum) == 1;
    if (isFirst && above != null) {
      above.enter(name, isOfResource);
    }
  }

  private void leave(String name, boolean isOfResource) {
    boolean isLast =
        (isOfResource ? ofResources : ofPoints)
                .computeIfPresent(name, (key, uses) -> uses == 1 ? null : uses - 1)
            == null;
    if (isLast && above != null) {
      above.leave(name, isOfResource);
    }
  }

  private static int missing(Map<String, Integer> names, Map<String, String> labels) {
    int missing = 0;
    for (String name : labels.keySet()) {
      missing += names.containsKey(name) ? 0 : 1;
    }
    return missing;
  }
}

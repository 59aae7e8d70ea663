package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.promql.application.PrometheusNameIndex.IndexedName;
import io.tidemark.platform.promql.application.PrometheusNameIndex.Meaning;
import io.tidemark.platform.promql.application.RangeVectorReader.Reader;
import io.tidemark.platform.promql.domain.LabelMatcher;
import io.tidemark.platform.promql.domain.PromQlFault;
import io.tidemark.platform.promql.domain.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds the metrics that a selector names or fits. */
final class SelectorResolver {

  /** So many metrics may one selector without a name fit. */
  private static final int MAX_METRICS = 20;

  private final PrometheusNameIndex names;

  SelectorResolver(PrometheusNameIndex names) {
    this.names = names;
  }

  /** The metric of a window; empty when nobody sent one of that name. */
  Optional<SelectedMetric> find(Reader reader, Window window) {
    List<TimeInterval> intervals = reader.times().intervals(window);
    Optional<LabelMatcher> name = name(window.selector().matchers());
    if (intervals.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    Instant start = intervals.get(0).start();
    Optional<SelectedMetric> found =
        names
            .resolve(reader.organization(), name.get(), start)
            .map(known -> selected(reader, window, known));
    if (found.isEmpty()) {
      List<String> nearest = names.nearest(reader.organization(), name.get().text(), start);
      reader
          .notes()
          .add(
              "no metric has a name that the query gives"
                  + (nearest.isEmpty() ? "" : "; there are: " + String.join(", ", nearest)));
    }
    return found;
  }

  /** A level has readings, of which other minutes are read. */
  private static SelectedMetric selected(Reader reader, Window window, IndexedName known) {
    Window own =
        known.meaning() == Meaning.LEVEL
            ? new Window(window.selector(), window.value().ofLevel())
            : window;
    return new SelectedMetric(own, known, reader.times().intervals(own));
  }

  /** All metrics that a selector without the name of one fits, but distributions as a whole. */
  List<SelectedMetric> findAll(Reader reader, Window window) {
    List<TimeInterval> intervals = reader.times().intervals(window);
    if (intervals.isEmpty()) {
      return List.of();
    }
    List<IndexedName> fitting =
        names
            .fitting(reader.organization(), window.selector().matchers(), intervals.get(0).start())
            .stream()
            .filter(known -> known.meaning() != Meaning.DISTRIBUTION)
            .toList();
    if (fitting.size() > MAX_METRICS) {
      throw PromQlFault.unsupported(
          "a selector that fits more than " + MAX_METRICS + " metrics; name one");
    }
    return fitting.stream().map(known -> selected(reader, window, known)).toList();
  }

  /** The matcher that names one metric; empty when several may fit. */
  static Optional<LabelMatcher> name(List<LabelMatcher> matchers) {
    List<LabelMatcher> ofName =
        matchers.stream().filter(matcher -> matcher.label().equals(LabelMatcher.NAME)).toList();
    return ofName.size() == 1
            && ofName.get(0).operator() == LabelMatcher.Operator.EQUAL
            && !ofName.get(0).text().isEmpty()
        ? Optional.of(ofName.get(0))
        : Optional.empty();
  }
}

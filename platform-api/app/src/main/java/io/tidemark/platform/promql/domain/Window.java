package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A selector with what is taken from its windows: the leaves of an expression that are read. */
public record Window(Selector selector, WindowValue value) {

  /** How far back the value at a time may lie. */
  public static final long LOOKBACK = 300_000;

  /** The label by which Prometheus tells buckets apart. */
  public static final String BOUND = "le";

  private static final String BUCKETS = "_bucket";

  private static final long MINUTE = 60_000;

  /** The leaf that an expression is; empty when it is none. */
  public static Optional<Window> of(Expression expression) {
    if (expression instanceof Selector selector) {
      if (selector.range() > 0) {
        throw PromQlFault.unsupported(
            "samples of a range as they are; take rate, increase or a function _over_time of it");
      }
      return Optional.of(new Window(selector, WindowValue.CURRENT));
    }
    if (expression instanceof Call call) {
      WindowValue value = Functions.ofWindow(call);
      if (value != null) {
        return Optional.of(new Window((Selector) call.arguments().get(0), value));
      }
    }
    return Optional.empty();
  }

  /** The same of the histogram whose buckets are named; empty when none are, or single ones. */
  public Optional<Window> ofWhole() {
    List<LabelMatcher> matchers = new ArrayList<>();
    boolean isNamed = false;
    for (LabelMatcher matcher : selector.matchers()) {
      if (matcher.label().equals(BOUND)) {
        return Optional.empty();
      }
      boolean isBuckets =
          matcher.label().equals(LabelMatcher.NAME)
              && matcher.operator() == LabelMatcher.Operator.EQUAL
              && matcher.text().endsWith(BUCKETS);
      isNamed |= isBuckets;
      matchers.add(
          isBuckets
              ? new LabelMatcher(
                  LabelMatcher.NAME,
                  LabelMatcher.Operator.EQUAL,
                  matcher.text().substring(0, matcher.text().length() - BUCKETS.length()))
              : matcher);
    }
    return isNamed
        ? Optional.of(
            new Window(
                new Selector(matchers, selector.range(), selector.offset(), selector.at()), value))
        : Optional.empty();
  }

  /** Length in milliseconds of what is read. */
  public long length() {
    // The reading at the beginning stands at the end of the minute before.
    return value.isOfReadings() ? rounded() + MINUTE : rounded();
  }

  /** Length in milliseconds: that of the selector, rounded up to whole minutes. */
  public long rounded() {
    long range = selector.range() == 0 ? LOOKBACK : selector.range();
    return (range + MINUTE - 1) / MINUTE * MINUTE;
  }

  /** By what figures of the window are multiplied. */
  public double scale() {
    return switch (value) {
      case RATE -> 1_000.0 / length();
      case INCREASE, RISE -> selector.range() / (double) rounded();
      default -> 1;
    };
  }
}

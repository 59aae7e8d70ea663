package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.Selector;
import java.util.Optional;

/** A selector with what is taken from its windows: the leaves of an expression that are read. */
public record Window(Selector selector, WindowValue value) {

  /** How far back the value at a time may lie. */
  public static final long LOOKBACK = 300_000;

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
    if (expression instanceof Call call && Functions.ofWindow(call) != null) {
      return Optional.of(new Window((Selector) call.arguments().get(0), Functions.ofWindow(call)));
    }
    return Optional.empty();
  }

  /** Length in milliseconds: that of the selector, rounded up to whole minutes. */
  public long length() {
    long range = selector.range() == 0 ? LOOKBACK : selector.range();
    return (range + MINUTE - 1) / MINUTE * MINUTE;
  }

  /** By what figures of the window are multiplied. */
  public double scale() {
    return switch (value) {
      case RATE -> 1_000.0 / length();
      case INCREASE -> selector.range() / (double) length();
      default -> 1;
    };
  }
}

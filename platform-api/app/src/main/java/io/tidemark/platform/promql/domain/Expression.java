package io.tidemark.platform.promql.domain;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A parsed text. */
public sealed interface Expression {

  /** A number. */
  record Scalar(double value) implements Expression {}

  /** A text in quotes. */
  record Text(String value) implements Expression {}

  /** What a time of {@code @} is counted from. */
  enum Anchor {
    /** The epoch. */
    EPOCH,
    /** The first time of the whole evaluation. */
    START,
    /** The last time of the whole evaluation. */
    END
  }

  /**
   * The time that an {@code @} names, which is the same at every step.
   *
   * @param milliseconds after the anchor
   */
  record At(Anchor anchor, long milliseconds) {}

  /**
   * Series.
   *
   * @param matchers at least one does not match an absent label; the name of the metric is one
   * @param range length of the window in milliseconds; 0 for the value at a time
   * @param offset how much earlier to look, in milliseconds; negative for later
   * @param at the time to look at; empty for that of the step
   */
  record Selector(List<LabelMatcher> matchers, long range, long offset, Optional<At> at)
      implements Expression {
    public Selector {
      matchers = List.copyOf(matchers);
    }

    /** Series at the time of the step. */
    public Selector(List<LabelMatcher> matchers, long range, long offset) {
      this(matchers, range, offset, Optional.empty());
    }
  }

  /**
   * The values of an expression at several times: a range that is computed, not read.
   *
   * @param range length in milliseconds; the beginning does not belong to it
   * @param resolution milliseconds between two times, which are multiples of it
   * @param offset how much earlier to look, in milliseconds; negative for later
   * @param at the time to look at; empty for that of the step
   */
  record Subquery(Expression expression, long range, long resolution, long offset, Optional<At> at)
      implements Expression {}

  /** A function. */
  record Call(String function, List<Expression> arguments) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /** Which labels make groups. */
  record Grouping(boolean without, Set<String> labels) {
    public Grouping {
      labels = Set.copyOf(labels);
    }

    /** Whether a label is one of a group's. */
    public boolean keeps(String label) {
      return without
          ? !labels.contains(label) && !label.equals(LabelMatcher.NAME)
          : labels.contains(label);
    }
  }

  /** What is done with the series of a group. */
  enum Aggregator {
    SUM,
    AVG,
    MIN,
    MAX,
    COUNT
  }

  /** Groups of series brought together. */
  record Aggregate(Aggregator aggregator, Grouping grouping, Expression argument)
      implements Expression {}

  /** What else is done with the series of a group. */
  enum GroupFunction {
    GROUP,
    STDDEV,
    STDVAR,
    QUANTILE,
    TOPK,
    BOTTOMK,
    COUNT_VALUES;

    /** Whether it takes a number, or a text. */
    public boolean hasParameter() {
      return this == QUANTILE || this == COUNT_VALUES || isChoice();
    }

    /** Whether series of the group stay as they are. */
    public boolean isChoice() {
      return this == TOPK || this == BOTTOMK;
    }
  }

  /**
   * Groups of series of which some are chosen, or that are described.
   *
   * @param parameter null for a function without one
   */
  record GroupCall(
      GroupFunction function,
      @Nullable Expression parameter,
      Grouping grouping,
      Expression argument)
      implements Expression {}

  /** Which side of two may have many series where the other has one. */
  enum ManySide {
    NONE,
    LEFT,
    RIGHT
  }

  /**
   * Two sides.
   *
   * @param bool whether a comparison gives 0 or 1
   * @param matching labels by which series of both sides meet
   * @param many whether series of one side may meet one of the other together
   * @param included labels that they take from it
   */
  record Binary(
      Operation operation,
      Expression left,
      Expression right,
      boolean bool,
      Grouping matching,
      ManySide many,
      Set<String> included)
      implements Expression {
    public Binary {
      included = Set.copyOf(included);
    }
  }

  /** The other sign. */
  record Negation(Expression argument) implements Expression {}
}

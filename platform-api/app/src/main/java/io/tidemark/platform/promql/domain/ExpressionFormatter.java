package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Aggregate;
import io.tidemark.platform.promql.domain.Expression.At;
import io.tidemark.platform.promql.domain.Expression.Binary;
import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.GroupCall;
import io.tidemark.platform.promql.domain.Expression.Grouping;
import io.tidemark.platform.promql.domain.Expression.ManySide;
import io.tidemark.platform.promql.domain.Expression.Negation;
import io.tidemark.platform.promql.domain.Expression.Scalar;
import io.tidemark.platform.promql.domain.Expression.Selector;
import io.tidemark.platform.promql.domain.Expression.Subquery;
import io.tidemark.platform.promql.domain.Expression.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes expressions in their usual form: on one line, with the parentheses that they need. */
public final class ExpressionFormatter {

  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  private ExpressionFormatter() {}

  /** A text that means the same expression. */
  public static String text(Expression expression) {
    if (expression instanceof Scalar scalar) {
      return number(scalar.value());
    } else if (expression instanceof Text text) {
      return quoted(text.value());
    } else if (expression instanceof Selector selector) {
      return selector(selector);
    } else if (expression instanceof Subquery subquery) {
      return within(subquery.expression(), isComposed(subquery.expression()))
          + "["
          + Durations.text(subquery.range())
          + ":"
          + Durations.text(subquery.resolution())
          + "]"
          + modifiers(subquery.at(), subquery.offset());
    } else if (expression instanceof Call call) {
      return call.function() + "(" + joined(call.arguments()) + ")";
    } else if (expression instanceof Aggregate aggregate) {
      return aggregate.aggregator().name().toLowerCase(Locale.ROOT)
          + grouping(aggregate.grouping())
          + "("
          + text(aggregate.argument())
          + ")";
    } else if (expression instanceof GroupCall group) {
      return group.function().name().toLowerCase(Locale.ROOT)
          + grouping(group.grouping())
          + "("
          + (group.parameter() == null ? "" : text(group.parameter()) + ", ")
          + text(group.argument())
          + ")";
    } else if (expression instanceof Negation negation) {
      boolean isWeaker =
          negation.argument() instanceof Binary binary
              && binary.operation().strength() <= Operation.TIMES.strength();
      return "-" + within(negation.argument(), isWeaker);
    }
    return binary((Binary) expression);
  }

  private static String binary(Binary binary) {
    int own = binary.operation().strength();
    boolean isPower = binary.operation() == Operation.POWER;
    boolean isLeftWeaker =
        binary.left() instanceof Binary left
            ? left.operation().strength() < own || isPower
            : isPower && binary.left() instanceof Negation;
    boolean isRightWeaker =
        binary.right() instanceof Binary right
            && (right.operation().strength() < own
                || right.operation().strength() == own && !isPower);
    StringBuilder text = new StringBuilder(within(binary.left(), isLeftWeaker));
    text.append(' ').append(binary.operation().text());
    if (binary.bool()) {
      text.append(" bool");
    }
    if (!binary.matching().without()) {
      text.append(" on (").append(labels(binary.matching().labels())).append(')');
    } else if (!binary.matching().labels().isEmpty()) {
      text.append(" ignoring (").append(labels(binary.matching().labels())).append(')');
    }
    if (binary.many() != ManySide.NONE) {
      text.append(binary.many() == ManySide.LEFT ? " group_left (" : " group_right (")
          .append(labels(binary.included()))
          .append(')');
    }
    return text.append(' ').append(within(binary.right(), isRightWeaker)).toString();
  }

  private static boolean isComposed(Expression expression) {
    return expression instanceof Binary
        || expression instanceof Negation
        || expression instanceof Selector selector
            && (selector.offset() != 0 || selector.at().isPresent());
  }

  private static String within(Expression expression, boolean isInParentheses) {
    return isInParentheses ? "(" + text(expression) + ")" : text(expression);
  }

  private static String joined(List<Expression> expressions) {
    return expressions.stream().map(ExpressionFormatter::text).collect(Collectors.joining(", "));
  }

  private static String grouping(Grouping grouping) {
    if (grouping.without()) {
      return " without (" + labels(grouping.labels()) + ") ";
    }
    return grouping.labels().isEmpty() ? "" : " by (" + labels(grouping.labels()) + ") ";
  }

  private static String labels(Collection<String> labels) {
    return new TreeSet<>(labels)
        .stream().map(ExpressionFormatter::label).collect(Collectors.joining(", "));
  }

  private static String label(String label) {
    return LABEL.matcher(label).matches() ? label : quoted(label);
  }

  private static String selector(Selector selector) {
    String name = "";
    List<String> matchers = new ArrayList<>();
    for (LabelMatcher matcher : selector.matchers()) {
      boolean isName =
          matcher.label().equals(LabelMatcher.NAME)
              && matcher.operator() == LabelMatcher.Operator.EQUAL;
      if (matcher.isSentName()) {
        matchers.add(quoted(matcher.text()));
      } else if (isName && name.isEmpty() && NAME.matcher(matcher.text()).matches()) {
        name = matcher.text();
      } else {
        matchers.add(label(matcher.label()) + matcher.operator() + quoted(matcher.text()));
      }
    }
    return name
        + (matchers.isEmpty() ? "" : "{" + String.join(", ", matchers) + "}")
        + (selector.range() == 0 ? "" : "[" + Durations.text(selector.range()) + "]")
        + modifiers(selector.at(), selector.offset());
  }

  private static String modifiers(Optional<At> at, long offset) {
    String text =
        at.map(
                each ->
                    switch (each.anchor()) {
                      case EPOCH -> " @ " + number(each.milliseconds() / 1_000.0);
                      case START -> " @ start()";
                      case END -> " @ end()";
                    })
            .orElse("");
    return offset == 0
        ? text
        : text + " offset " + (offset < 0 ? "-" : "") + Durations.text(Math.abs(offset));
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Inf" : "-Inf";
    }
    return value == 0
        ? "0"
        : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char letter : text.toCharArray()) {
      switch (letter) {
        case '\\', '"' -> quoted.append('\\').append(letter);
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '\r' -> quoted.append("\\r");
        default -> quoted.append(letter);
      }
    }
    return quoted.append('"').toString();
  }
}

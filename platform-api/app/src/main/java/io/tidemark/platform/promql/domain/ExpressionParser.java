package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Aggregate;
import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.Expression.Anchor;
import io.tidemark.platform.promql.domain.Expression.At;
import io.tidemark.platform.promql.domain.Expression.Binary;
import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.GroupCall;
import io.tidemark.platform.promql.domain.Expression.GroupFunction;
import io.tidemark.platform.promql.domain.Expression.Grouping;
import io.tidemark.platform.promql.domain.Expression.ManySide;
import io.tidemark.platform.promql.domain.Expression.Negation;
import io.tidemark.platform.promql.domain.Expression.Scalar;
import io.tidemark.platform.promql.domain.Expression.Selector;
import io.tidemark.platform.promql.domain.Expression.Subquery;
import io.tidemark.platform.promql.domain.Expression.Text;
import io.tidemark.platform.promql.domain.Lexer.Kind;
import io.tidemark.platform.promql.domain.Lexer.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads PromQL by recursive descent. What is well-formed but never answered is refused by name, so
 * that nobody looks for a mistake in their text.
 */
public final class ExpressionParser {

  private static final int MAX_LENGTH = 16_384;
  private static final int MAX_DEPTH = 50;
  private static final int MAX_TOKENS = 2_000;
  private static final long MINUTE = 60_000;
  private static final long LAST_SECOND = 9_214_646_400L;
  private static final Set<String> OTHER_AGGREGATORS = Set.of("limitk", "limit_ratio");
  private static final Set<String> NO_NAMES =
      Set.of("bool", "by", "ignoring", "offset", "on", "without", "group_left", "group_right");

  private final List<Token> tokens;
  private int place;
  private int depth;

  private ExpressionParser(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * The meaning of a text.
   *
   * @throws PromQlFault when it has none, or one that is not answered
   */
  public static Expression parse(String text) {
    ExpressionParser parser = of(text);
    Expression expression = parser.expression(0);
    parser.end();
    return expression;
  }

  /** The meaning of a text that can only be a selector without window and offset. */
  public static Selector selector(String text) {
    ExpressionParser parser = of(text);
    Expression expression = parser.expression(0);
    parser.end();
    if (expression instanceof Selector selector
        && selector.range() == 0
        && selector.offset() == 0
        && selector.at().isEmpty()) {
      return selector;
    }
    throw PromQlFault.wrong("a selector like up{job=\"a\"} is expected here");
  }

  private static ExpressionParser of(String text) {
    if (text.length() > MAX_LENGTH) {
      throw PromQlFault.wrong("the text has more than " + MAX_LENGTH + " characters");
    }
    List<Token> tokens = Lexer.tokens(text);
    if (tokens.size() > MAX_TOKENS) {
      throw PromQlFault.wrong("the text has more than " + MAX_TOKENS + " tokens");
    }
    return new ExpressionParser(tokens);
  }

  private Token next() {
    return tokens.get(place);
  }

  private boolean takes(String sign) {
    if (!next().isSign(sign)) {
      return false;
    }
    place++;
    return true;
  }

  private boolean takesWord(String word) {
    if (next().kind() != Kind.NAME || !next().is(word)) {
      return false;
    }
    place++;
    return true;
  }

  private void expect(String sign, String where) {
    if (!takes(sign)) {
      throw unexpected(where + ", expected \"" + sign + "\"");
    }
  }

  private void end() {
    if (next().kind() != Kind.END) {
      throw unexpected("after the expression");
    }
  }

  private PromQlFault unexpected(String where) {
    Token token = next();
    String what = token.kind() == Kind.END ? "end of input" : "\"" + token.text() + "\"";
    return PromQlFault.wrong("1:" + token.at() + ": parse error: unexpected " + what + " " + where);
  }

  private Expression expression(int weakest) {
    if (++depth > MAX_DEPTH) {
      throw PromQlFault.wrong("the expression is nested more than " + MAX_DEPTH + " deep");
    }
    Expression left = unary();
    while (true) {
      Optional<Operation> operation = operation();
      if (operation.isEmpty() || operation.get().strength() <= weakest) {
        depth--;
        return left;
      }
      place++;
      left = binary(operation.get(), left);
    }
  }

  private Optional<Operation> operation() {
    for (Operation operation : Operation.values()) {
      if (next().is(operation.text())) {
        return Optional.of(operation);
      }
    }
    return Optional.empty();
  }

  private Expression binary(Operation operation, Expression left) {
    boolean bool = takesWord("bool");
    if (bool && !operation.isComparison()) {
      throw PromQlFault.wrong("bool modifier can only be used on comparison operators");
    }
    Grouping matching = new Grouping(true, Set.of());
    if (takesWord("on")) {
      matching = new Grouping(false, labels());
    } else if (takesWord("ignoring")) {
      matching = new Grouping(true, labels());
    }
    ManySide many = ManySide.NONE;
    Set<String> included = Set.of();
    if (next().is("group_left") || next().is("group_right")) {
      many = next().is("group_left") ? ManySide.LEFT : ManySide.RIGHT;
      if (operation.isSet()) {
        throw PromQlFault.wrong("no grouping allowed for \"" + operation.text() + "\" operation");
      }
      place++;
      if (next().isSign("(")) {
        included = labels();
      }
    }
    if (next().is("fill") || next().is("fill_left") || next().is("fill_right")) {
      throw PromQlFault.unsupported(next().text());
    }
    // A power binds to the right, everything else to the left.
    Expression right =
        expression(operation == Operation.POWER ? operation.strength() - 1 : operation.strength());
    return new Binary(operation, left, right, bool, matching, many, included);
  }

  private Expression unary() {
    if (takes("-")) {
      return new Negation(expression(Operation.TIMES.strength()));
    }
    if (takes("+")) {
      return expression(Operation.TIMES.strength());
    }
    return modified(primary());
  }

  private Expression primary() {
    Token token = next();
    switch (token.kind()) {
      case NUMBER -> {
        place++;
        return new Scalar(number(token.text()));
      }
      case DURATION -> {
        place++;
        return new Scalar(milliseconds(token) / 1_000.0);
      }
      case STRING -> {
        place++;
        return new Text(token.text());
      }
      case NAME -> {
        return named();
      }
      case SIGN -> {
        if (takes("(")) {
          Expression inner = expression(0);
          expect(")", "in a parenthesis");
          return inner;
        }
        if (token.isSign("{")) {
          return new Selector(matchers(null), 0, 0);
        }
        throw unexpected("where an expression begins");
      }
      case END -> throw unexpected("where an expression begins");
    }
    throw new IllegalStateException("Unknown token " + token);
  }

  private static double number(String text) {
    return text.length() > 1 && Character.toLowerCase(text.charAt(1)) == 'x'
        ? Long.parseLong(text.substring(2), 16)
        : Double.parseDouble(text);
  }

  private Expression named() {
    Token token = next();
    String name = token.text();
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("inf") || lower.equals("nan")) {
      place++;
      return new Scalar(lower.equals("inf") ? Double.POSITIVE_INFINITY : Double.NaN);
    }
    if (operation().isPresent() || NO_NAMES.contains(lower)) {
      throw unexpected("where an expression begins");
    }
    place++;
    boolean opens = next().isSign("(");
    if (opens || next().is("by") || next().is("without")) {
      for (Aggregator aggregator : Aggregator.values()) {
        if (aggregator.name().equalsIgnoreCase(name)) {
          return aggregate(aggregator);
        }
      }
      for (GroupFunction function : GroupFunction.values()) {
        if (function.name().equalsIgnoreCase(name)) {
          return groupCall(function);
        }
      }
      if (OTHER_AGGREGATORS.contains(lower)) {
        throw PromQlFault.unsupported("aggregation " + lower + "; use sum, avg, min, max or count");
      }
    }
    return opens ? call(token) : new Selector(matchers(name), 0, 0);
  }

  private Expression aggregate(Aggregator aggregator) {
    Optional<Grouping> grouping = grouping();
    expect("(", "in an aggregation");
    Expression argument = expression(0);
    expect(")", "in an aggregation");
    if (grouping.isEmpty()) {
      grouping = grouping();
    }
    return new Aggregate(aggregator, grouping.orElse(new Grouping(false, Set.of())), argument);
  }

  private Expression groupCall(GroupFunction function) {
    Optional<Grouping> grouping = grouping();
    expect("(", "in an aggregation");
    Expression parameter = null;
    if (function.hasParameter()) {
      parameter = expression(0);
      expect(",", "in an aggregation");
    }
    Expression argument = expression(0);
    expect(")", "in an aggregation");
    if (grouping.isEmpty()) {
      grouping = grouping();
    }
    return new GroupCall(
        function, parameter, grouping.orElse(new Grouping(false, Set.of())), argument);
  }

  private Optional<Grouping> grouping() {
    if (takesWord("by")) {
      return Optional.of(new Grouping(false, labels()));
    }
    return takesWord("without") ? Optional.of(new Grouping(true, labels())) : Optional.empty();
  }

  private Set<String> labels() {
    expect("(", "before labels");
    Set<String> labels = new HashSet<>();
    while (!takes(")")) {
      if (next().kind() != Kind.NAME && next().kind() != Kind.STRING) {
        throw unexpected("in a list of labels");
      }
      labels.add(next().text());
      place++;
      if (!next().isSign(")")) {
        expect(",", "in a list of labels");
      }
    }
    return labels;
  }

  private Expression call(Token function) {
    Functions.check(function.text());
    expect("(", "in a call");
    List<Expression> arguments = new ArrayList<>();
    while (!takes(")")) {
      arguments.add(expression(0));
      if (!next().isSign(")")) {
        expect(",", "in a call");
      }
    }
    Functions.check(function.text(), arguments);
    return new Call(function.text(), arguments);
  }

  private List<LabelMatcher> matchers(@Nullable String name) {
    List<LabelMatcher> matchers = new ArrayList<>();
    if (name != null) {
      matchers.add(new LabelMatcher(LabelMatcher.NAME, LabelMatcher.Operator.EQUAL, name));
    }
    if (takes("{")) {
      while (!takes("}")) {
        LabelMatcher matcher = matcher();
        if (name != null && matcher.label().equals(LabelMatcher.NAME)) {
          throw PromQlFault.wrong("metric name must not be set twice: \"" + name + "\"");
        }
        matchers.add(matcher);
        if (!next().isSign("}")) {
          expect(",", "in a selector");
        }
      }
    }
    if (matchers.stream().allMatch(LabelMatcher::matchesAbsence)) {
      throw PromQlFault.wrong(
          "vector selector must contain at least one matcher that does not match an empty text");
    }
    return matchers;
  }

  private LabelMatcher matcher() {
    Token label = next();
    if (label.kind() != Kind.NAME && label.kind() != Kind.STRING) {
      throw unexpected("in a selector, expected a label");
    }
    place++;
    if (label.kind() == Kind.STRING && (next().isSign(",") || next().isSign("}"))) {
      return LabelMatcher.ofSentName(label.text());
    }
    for (LabelMatcher.Operator operator : LabelMatcher.Operator.values()) {
      if (takes(operator.toString())) {
        if (next().kind() != Kind.STRING) {
          throw unexpected("in a selector, expected a quoted text");
        }
        String text = next().text();
        place++;
        return new LabelMatcher(label.text(), operator, text);
      }
    }
    throw unexpected("in a selector, expected =, !=, =~ or !~");
  }

  /** Windows and offsets behind an expression. */
  private Expression modified(Expression expression) {
    Expression modified = expression;
    while (true) {
      if (takes("[")) {
        modified = ranged(modified);
      } else if (takesWord("offset")) {
        boolean later = takes("-");
        long offset = duration();
        modified = shifted(modified, later ? -offset : offset);
      } else if (takes("@")) {
        modified = fixed(modified, at());
      } else if (next().is("smoothed") || next().is("anchored")) {
        throw PromQlFault.unsupported("the " + next().text() + " modifier");
      } else {
        return modified;
      }
    }
  }

  private static Expression shifted(Expression expression, long offset) {
    if (expression instanceof Selector selector && selector.offset() == 0) {
      return new Selector(selector.matchers(), selector.range(), offset, selector.at());
    }
    if (expression instanceof Subquery sub && sub.offset() == 0) {
      return new Subquery(sub.expression(), sub.range(), sub.resolution(), offset, sub.at());
    }
    throw PromQlFault.wrong("offset modifier must be preceded by a selector or a subquery");
  }

  private static Expression fixed(Expression expression, At at) {
    if (expression instanceof Selector selector && selector.at().isEmpty()) {
      return new Selector(
          selector.matchers(), selector.range(), selector.offset(), Optional.of(at));
    }
    if (expression instanceof Subquery sub && sub.at().isEmpty()) {
      return new Subquery(
          sub.expression(), sub.range(), sub.resolution(), sub.offset(), Optional.of(at));
    }
    throw PromQlFault.wrong("@ modifier must be preceded by a selector or a subquery");
  }

  /** The time behind an {@code @}. */
  private At at() {
    if (next().is("start") || next().is("end")) {
      Anchor anchor = next().is("start") ? Anchor.START : Anchor.END;
      place++;
      expect("(", "behind @");
      expect(")", "behind @");
      return new At(anchor, 0);
    }
    boolean before = takes("-");
    Token token = next();
    if (token.kind() != Kind.NUMBER) {
      throw unexpected("where @ expects seconds since the epoch, start() or end()");
    }
    place++;
    double seconds = number(token.text());
    if (before || seconds > LAST_SECOND) {
      throw PromQlFault.wrong("a time of @ must lie between the years 1970 and 2262");
    }
    return new At(Anchor.EPOCH, Math.round(seconds * 1_000));
  }

  private Expression ranged(Expression expression) {
    long range = duration();
    if (takes(":")) {
      return subquery(expression, range);
    }
    expect("]", "after a range");
    if (!(expression instanceof Selector selector) || selector.range() != 0) {
      throw PromQlFault.wrong("ranges only allowed for vector selectors");
    }
    if (selector.offset() != 0 || selector.at().isPresent()) {
      throw PromQlFault.wrong("no offset and no @ modifiers allowed before range");
    }
    if (range == 0) {
      throw PromQlFault.wrong("duration must be greater than 0");
    }
    return new Selector(selector.matchers(), range, 0);
  }

  /** Without a resolution there is a value each minute, as minutes are stored. */
  private Expression subquery(Expression expression, long range) {
    long resolution = next().isSign("]") ? MINUTE : duration();
    expect("]", "after a subquery");
    boolean isRange =
        expression instanceof Subquery
            || expression instanceof Selector selector && selector.range() > 0;
    if (isRange || expression instanceof Scalar || expression instanceof Text) {
      throw PromQlFault.wrong("subquery is only allowed on instant vector");
    }
    if (range == 0 || resolution == 0) {
      throw PromQlFault.wrong("duration must be greater than 0");
    }
    return new Subquery(expression, range, resolution, 0, Optional.empty());
  }

  private long duration() {
    Token token = next();
    if (token.kind() != Kind.DURATION && token.kind() != Kind.NUMBER) {
      throw unexpected("where a duration is expected");
    }
    place++;
    return milliseconds(token);
  }

  private static long milliseconds(Token token) {
    OptionalLong milliseconds = Durations.parse(token.text());
    if (milliseconds.isEmpty()) {
      throw PromQlFault.wrong("1:" + token.at() + ": parse error: duration out of range");
    }
    return milliseconds.getAsLong();
  }
}

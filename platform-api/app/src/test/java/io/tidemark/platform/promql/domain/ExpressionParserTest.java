package io.tidemark.platform.promql.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.promql.domain.Expression.Aggregate;
import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.Expression.Binary;
import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.Negation;
import io.tidemark.platform.promql.domain.Expression.Scalar;
import io.tidemark.platform.promql.domain.Expression.Selector;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionParserTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '§',
      value = {
        "up | __name__=\"up\"",
        "up{} | __name__=\"up\"",
        "job:up:sum{a=\"b\",} | __name__=\"job:up:sum\" a=\"b\"",
        "{\"http.server.duration\", \"http.route\"=~'/a.*'} | __name__=\"http.server.duration\""
            + " http.route=~\"/a.*\"",
        "{__name__=\"up\",a!=\"\",b!~`\\d`} | __name__=\"up\" a!=\"\" b!~\"\\d\"",
        "sum | __name__=\"sum\"",
        "rate{on=\"a\"} | __name__=\"rate\" on=\"a\"",
      })
  void selectorsAreRead(String text, String matchers) {
    Selector selector = ExpressionParser.selector(text);
    assertThat(String.join(" ", selector.matchers().stream().map(Object::toString).toList()))
        .isEqualTo(matchers);
  }

  @Test
  void textsHaveEscapesAndComments() {
    assertThat(
            ExpressionParser.selector("up{a=\"q\\\"\\n\\u00e4\\x41\\101\"} # what")
                .matchers()
                .get(1)
                .text())
        .isEqualTo("q\"\n\u00e4AA");
  }

  @ParameterizedTest
  @CsvSource({
    "up[5m], 300000, 0",
    "up[1h30m], 5400000, 0",
    "up[90], 90000, 0",
    "up offset 5m, 0, 300000",
    "up[1m] offset -1h, 60000, -3600000",
    "up[1y2w3d4h5m6s7ms], 33019506007, 0"
  })
  void windowsAndOffsetsAreRead(String text, long range, long offset) {
    Selector selector =
        (Selector)
            (range == 0
                ? ExpressionParser.parse(text)
                : ((Call) ExpressionParser.parse("rate(" + text + ")")).arguments().get(0));
    assertThat(selector.range()).isEqualTo(range);
    assertThat(selector.offset()).isEqualTo(offset);
  }

  @ParameterizedTest
  @CsvSource({
    "1 + 2 * 3 ^ 2 ^ 0.5, 10.4576",
    "-2 ^ 2, -4",
    "2 - 3 - 4, -5",
    "8 / 4 / 2, 1",
    "7 % 4 == bool 3, 1",
    "0x1F + 1e1 + .5 + 5m, 341.5",
    "(1 + 2) * 3, 9",
    "1 + -Inf, -Infinity",
    "1 > bool 2, 0"
  })
  void numbersAreArithmetic(String text, double value) {
    assertThat(number(ExpressionParser.parse(text)))
        .isCloseTo(value, org.assertj.core.data.Offset.offset(0.001));
  }

  private static double number(Expression expression) {
    if (expression instanceof Scalar scalar) {
      return scalar.value();
    } else if (expression instanceof Negation negation) {
      return -number(negation.argument());
    }
    Binary binary = (Binary) expression;
    return binary.operation().apply(number(binary.left()), number(binary.right()));
  }

  @Test
  void aggregationsTakeLabelsBeforeOrBehind() {
    for (String text :
        new String[] {"sum by (a, b) (rate(x[5m]))", "SUM (rate(x[5m])) BY (a, \"b\",)"}) {
      Aggregate aggregate = (Aggregate) ExpressionParser.parse(text);
      assertThat(aggregate.aggregator()).isEqualTo(Aggregator.SUM);
      assertThat(aggregate.grouping().labels()).isEqualTo(Set.of("a", "b"));
      assertThat(aggregate.grouping().without()).isFalse();
      assertThat(aggregate.grouping().keeps("a")).isTrue();
      assertThat(aggregate.grouping().keeps("c")).isFalse();
    }
    Aggregate without = (Aggregate) ExpressionParser.parse("max without(a)(x)");
    assertThat(without.grouping().keeps("a")).isFalse();
    assertThat(without.grouping().keeps("__name__")).isFalse();
    assertThat(without.grouping().keeps("c")).isTrue();
    assertThat(((Aggregate) ExpressionParser.parse("count(x)")).grouping().keeps("a")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limitk(5, x)",
        "resets(x[5m])",
        "changes(x[5m])",
        "quantile_over_time(0.9, x[5m])",
        "rate(x[5m:1m])",
        "x anchored",
        "a * on(b) fill(0) c",
        "histogram_avg(x)"
      })
  void whatIsNeverAnsweredIsCalledSo(String text) {
    assertThatThrownBy(() -> ExpressionParser.parse(text))
        .isInstanceOfSatisfying(PromQlFault.class, f -> assertThat(f.isUnsupported()).isTrue())
        .hasMessageStartingWith("not supported: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "#",
        "{",
        "{}",
        "x{",
        "x{a}",
        "x{a=}",
        "x{a=b}",
        "x{a=\"b\"",
        "x{a=\"b\" c=\"d\"}",
        "{a=~\".*\"}",
        "{a!=\"b\"}",
        "x{__name__=\"y\"}",
        "x[",
        "x[]",
        "x[a]",
        "x[0]",
        "x[5m][5m]",
        "x[5m",
        "x offset",
        "x @",
        "x @ a",
        "x @ -5",
        "x @ 1e300",
        "x @ 1 @ 2",
        "x @ start",
        "1 @ 5",
        "x[5m:",
        "x[5m:0]",
        "1[5m:1m]",
        "x[5m][5m:1m]",
        "max_over_time(0.5, x[5m:1m])",
        "abs(x[5m:1m])",
        "x offset 5m offset 5m",
        "x offset a",
        "1 offset 5m",
        "1[5m]",
        "rate(x)",
        "rate(x[5m], 1)",
        "sum(x[5m])x",
        "sum by a (x)",
        "sum by (a",
        "sum()",
        "sum(x",
        "nosuch(x)",
        "x y",
        "1 +",
        "* 1",
        "1 bool + 2",
        "x{a=~\"(\"}",
        "x{a=~\"a{1001}\"}",
        "x{a=~\"(a{100}){100}\"}",
        "\"a",
        "'a\n'",
        "`a",
        "\"\\q\"",
        "\"\\u12\"",
        "\"\\xZZ\"",
        "\"\\U7fffffff\"",
        "1abc",
        "0x",
        "1..2",
        "x{a=\"b\"} = 1",
        "and",
        "by(x)",
        ")",
        "x))",
        "((((x)",
        "!x",
        "x!",
        "x;y",
        "x\u0000",
        "histogram_quantile(x)",
        "time(1)",
        "vector()",
        "x[99999999999y]",
        "5 5",
        "on",
        "é"
      })
  void whatIsWrongIsSaid(String text) {
    assertThatThrownBy(() -> ExpressionParser.parse(text))
        .isInstanceOfSatisfying(PromQlFault.class, f -> assertThat(f.isUnsupported()).isFalse());
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "-", "sum(", "x + (", "{a=\"b\",", "1+", "rate(x[5m]) + ", "1^"})
  void depthAndLengthAreBounded(String piece) {
    for (int times : new int[] {2_000, 1_000_000}) {
      assertThatThrownBy(() -> ExpressionParser.parse(piece.repeat(times) + "1"))
          .isInstanceOf(PromQlFault.class);
    }
    assertThatThrownBy(() -> ExpressionParser.parse("(".repeat(60) + "1" + ")".repeat(60)))
        .isInstanceOf(PromQlFault.class)
        .hasMessageContaining("nested");
  }

  @Test
  void noTextMakesItFailInAnyOtherWay() {
    Random random = new Random(20261121);
    String[] pieces = {
      "x",
      "sum",
      "by",
      "(",
      ")",
      "{",
      "}",
      "a",
      "=",
      "~",
      "\"b\"",
      "'",
      "[",
      "]",
      "5m",
      ":",
      ",",
      "rate",
      "1",
      "-",
      "+",
      "and",
      "on",
      "bool",
      "offset",
      "@",
      "\\",
      "#",
      "\n",
      "inf",
      "`",
      "!",
      "histogram_quantile",
      "0x",
      "e",
      ".",
      "ä",
      "\ud800"
    };
    int parsed = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(12); j >= 0; j--) {
        text.append(pieces[random.nextInt(pieces.length)]).append(random.nextBoolean() ? " " : "");
      }
      try {
        ExpressionParser.parse(text.toString());
        parsed++;
      } catch (PromQlFault fault) {
        assertThat(fault.getMessage()).isNotBlank();
      }
    }
    assertThat(parsed).isGreaterThan(1_000);
  }
}

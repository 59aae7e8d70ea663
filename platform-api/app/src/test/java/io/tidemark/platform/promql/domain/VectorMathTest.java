package io.tidemark.platform.promql.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.Expression.Binary;
import io.tidemark.platform.promql.domain.Expression.Grouping;
import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic of series, with the results that Prometheus has. Two steps; - is no value. */
class VectorMathTest {

  private static final Vector REQUESTS =
      vector(
          "requests{code=500,path=a} 4 8",
          "requests{code=404,path=a} 2 -",
          "requests{code=500,path=b} 6 6");
  private static final Vector LIMITS = vector("limits{path=a} 5 7", "limits{path=c} 1 1");

  private static Vector vector(String... texts) {
    return new Vector(Arrays.stream(texts).map(VectorMathTest::series).toList());
  }

  private static SeriesValues series(String text) {
    String[] words = text.split(" ");
    SortedMap<String, String> labels = new TreeMap<>();
    String name = words[0].substring(0, words[0].indexOf('{'));
    if (!name.isEmpty()) {
      labels.put(LabelMatcher.NAME, name);
    }
    for (String label : words[0].substring(name.length() + 1, words[0].length() - 1).split(",")) {
      if (!label.isEmpty()) {
        labels.put(label.split("=")[0], label.split("=")[1]);
      }
    }
    SeriesValues series = new SeriesValues(labels, words.length - 1);
    for (int step = 0; step < series.steps(); step++) {
      if (!words[step + 1].equals("-")) {
        series.put(step, Double.parseDouble(words[step + 1]));
      }
    }
    return series;
  }

  private static List<String> texts(Value value) {
    List<String> texts = new ArrayList<>();
    for (SeriesValues series : ((Vector) value).series()) {
      SortedMap<String, String> labels = series.nameless();
      StringBuilder text =
          new StringBuilder(series.labels().getOrDefault(LabelMatcher.NAME, ""))
              .append(labels.toString().replace(", ", ","));
      for (int step = 0; step < series.steps(); step++) {
        text.append(' ').append(series.has(step) ? Double.toString(series.at(step)) : "-");
      }
      texts.add(text.toString().replace(".0", ""));
    }
    return texts;
  }

  /** What stands between two names in a text that is parsed, for two given sides. */
  private static Value apply(String operation, Value left, Value right) {
    Binary binary = (Binary) ExpressionParser.parse("a " + operation + " b");
    return VectorMath.apply(binary, left, right);
  }

  private static Vector aggregate(String text, Vector vector) {
    Expression.Aggregate aggregate = (Expression.Aggregate) ExpressionParser.parse(text);
    return VectorMath.aggregate(aggregate.aggregator(), aggregate.grouping(), vector);
  }

  @Test
  void seriesMeetWhereAllTheirLabelsAreEqual() {
    Vector left = vector("x{a=1} 10 20", "x{a=2} 1 1", "x{a=3} 5 5");
    Vector right = vector("y{a=2} 3 -", "y{a=1} 4 5", "y{a=1,b=1} 7 7");
    assertThat(texts(apply("+", left, right))).containsExactly("{a=1} 14 25", "{a=2} 4 -");
    assertThat(texts(apply("-", left, right))).containsExactly("{a=1} 6 15", "{a=2} -2 -");
  }

  @Test
  void onAndIgnoringSayByWhichLabelsTheyMeetAndTheResultHasThose() {
    Vector left = vector("x{a=1,b=1} 10 20", "x{a=2,b=2} 1 1");
    Vector right = vector("y{a=1,c=1} 4 5", "y{a=3,c=3} 7 7");
    assertThat(texts(apply("* on (a)", left, right))).containsExactly("{a=1} 40 100");
    assertThat(texts(apply("* ignoring (b, c)", left, right))).containsExactly("{a=1} 40 100");
    assertThat(texts(apply("/ on ()", vector("x{a=1} 8 9"), vector("y{b=1} 2 3"))))
        .containsExactly("{} 4 3");
    assertThat(texts(apply("* on (d)", vector("x{a=1} 8 9"), vector("y{b=1} 2 3"))))
        .as("both lack the label")
        .containsExactly("{} 16 27");
    assertThat(texts(apply("+ on (__name__, a)", vector("x{a=1} 8 9"), vector("x{a=1} 2 3"))))
        .as("a sum is not the metric any more")
        .containsExactly("{a=1} 10 12");
  }

  @Test
  void comparisonsFilterAndKeepTheNameOrGiveZeroAndOne() {
    Vector left = vector("x{a=1} 10 20", "x{a=2} 1 1");
    Vector right = vector("y{a=1} 15 15", "y{a=2} 0 2");
    assertThat(texts(apply(">", left, right))).containsExactly("x{a=1} - 20", "x{a=2} 1 -");
    assertThat(texts(apply("> on (a)", left, right))).containsExactly("{a=1} - 20", "{a=2} 1 -");
    assertThat(texts(apply("> on (a, __name__)", left, vector("x{a=1} 15 15"))))
        .containsExactly("x{a=1} - 20");
    assertThat(texts(apply("> bool", left, right))).containsExactly("{a=1} 0 1", "{a=2} 1 0");
    assertThat(texts(apply("> bool on (a, __name__)", left, vector("x{a=1} 15 15"))))
        .containsExactly("{a=1} 0 1");
    assertThat(texts(apply("==", left, vector("y{a=1} NaN 20")))).containsExactly("x{a=1} - 20");
    assertThat(texts(apply("!=", left, vector("y{a=1} NaN 20")))).containsExactly("x{a=1} 10 -");
  }

  @Test
  void withNumbersTheValueOfTheSeriesStaysOnEitherSide() {
    Vector vector = vector("x{a=1} 10 20");
    Numbers numbers = new Numbers(new double[] {15, 15});
    assertThat(texts(apply(">", vector, numbers))).containsExactly("x{a=1} - 20");
    assertThat(texts(apply(">", numbers, vector))).containsExactly("x{a=1} 10 -");
    assertThat(texts(apply("> bool", numbers, vector))).containsExactly("{a=1} 1 0");
    assertThat(texts(apply("-", numbers, vector))).containsExactly("{a=1} 5 -5");
    assertThat(texts(apply("-", vector, numbers))).containsExactly("{a=1} -5 5");
    assertThat(((Numbers) apply("<= bool", numbers, numbers)).values()).containsExactly(1, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "and, x{a=1} 1 2; x{a=2} 3 -, x{a=1} 1 -",
    "unless, x{a=1} 1 2; x{a=2} 3 -, x{a=1} - 2; x{a=2} 3 -",
    "or, x{a=1} 1 -, x{a=1} 1 -; y{a=1} - 8; y{a=3} 9 9"
  })
  void setsAreJoinedStepByStep(String operation, String left, String joined) {
    String right = operation.equals("or") ? "y{a=1} 7 8; y{a=3} 9 9" : "y{a=1} 7 -; y{a=3} 9 9";
    assertThat(texts(apply(operation, vector(left.split("; ")), vector(right.split("; ")))))
        .containsExactly(joined.split("; "));
  }

  @Test
  void manySeriesMayMeetInSets() {
    assertThat(texts(apply("and on (path)", REQUESTS, LIMITS)))
        .containsExactly("requests{code=500,path=a} 4 8", "requests{code=404,path=a} 2 -");
    assertThat(texts(apply("unless on (path)", REQUESTS, LIMITS)))
        .containsExactly("requests{code=500,path=b} 6 6");
    assertThat(texts(apply("or on (path)", LIMITS, REQUESTS)))
        .containsExactly(
            "limits{path=a} 5 7", "limits{path=c} 1 1", "requests{code=500,path=b} 6 6");
  }

  /** Each side has the series at other steps: one series, as in Prometheus, not two. */
  @Test
  void bothSidesOfAnOrMayBeOneSeries() {
    Vector vector = vector("x{a=1} 10 20");
    Numbers numbers = new Numbers(new double[] {15, 15});
    assertThat(texts(apply("or", apply(">", vector, numbers), apply("<", vector, numbers))))
        .containsExactly("x{a=1} 10 20");
  }

  @Test
  void whereSeveralMeetSeveralItIsSaidSo() {
    for (String operation : List.of("+ on (path)", "> on (path)", "> bool on (path)")) {
      assertThatThrownBy(() -> apply(operation, REQUESTS, LIMITS))
          .as(operation)
          .isInstanceOf(PromQlFault.class)
          .hasMessage(
              "not supported: many-to-many matching: several series on the left side meet at"
                  + " {path=a}");
      assertThatThrownBy(() -> apply(operation, LIMITS, REQUESTS))
          .as(operation)
          .hasMessageStartingWith(
              "not supported: many-to-many matching: several series on the right side meet at");
    }
    // Not at the same step.
    assertThat(
            texts(
                apply(
                    "+ on (a)", vector("x{a=1,b=1} 1 -", "x{a=1,b=2} - 2"), vector("y{a=1} 5 5"))))
        .containsExactly("{a=1} 6 7");
  }

  @Test
  void seriesThatDifferByNameAloneAreToldWhenTheNameGoes() {
    Vector both = vector("x{a=1} 1 1", "y{a=1} 2 2");
    assertThatThrownBy(() -> VectorMath.negated(both))
        .isInstanceOfSatisfying(
            PromQlFault.class, fault -> assertThat(fault.isUnsupported()).isTrue())
        .hasMessageContaining("several series with the labels {a=1}");
    assertThat(texts(VectorMath.negated(vector("x{a=1} 1 -", "y{a=1} - 2"))))
        .containsExactly("{a=1} -1 -2");
  }

  @Test
  void groupsAreBroughtTogether() {
    assertThat(texts(aggregate("sum by (path) (x)", REQUESTS)))
        .containsExactly("{path=a} 6 8", "{path=b} 6 6");
    assertThat(texts(aggregate("avg without (code) (x)", REQUESTS)))
        .containsExactly("{path=a} 3 8", "{path=b} 6 6");
    assertThat(texts(aggregate("count(x)", REQUESTS))).containsExactly("{} 3 2");
    assertThat(texts(aggregate("min by (nosuch) (x)", REQUESTS))).containsExactly("{} 2 6");
    assertThat(texts(aggregate("max by (path, code) (x)", REQUESTS))).hasSize(3);
    assertThat(texts(aggregate("sum by (__name__) (x)", REQUESTS)))
        .containsExactly("requests{} 12 14");
  }

  @Test
  void notANumberGivesWayToEveryNumberInExtremesOnly() {
    Vector some = vector("x{a=1} NaN NaN", "x{a=2} 3 NaN", "x{a=3} -Infinity NaN");
    assertThat(texts(aggregate("min(x)", some))).containsExactly("{} -Infinity NaN");
    assertThat(texts(aggregate("max(x)", some))).containsExactly("{} 3 NaN");
    assertThat(texts(aggregate("sum(x)", some))).containsExactly("{} NaN NaN");
    assertThat(texts(aggregate("count(x)", some))).containsExactly("{} 3 3");
  }

  @ParameterizedTest
  @CsvSource({
    "+, 1, 2, 3",
    "/, 1, 0, Infinity",
    "/, 0, 0, NaN",
    "%, -7, 4, -3",
    "%, 5, 0, NaN",
    "^, 2, 0.5, 1.4142135623730951",
    "^, -8, 0.5, NaN",
    "^, 1, NaN, 1",
    "^, NaN, 0, 1",
    "^, -1, Infinity, 1",
    "^, 1, -Infinity, 1",
    "atan2, 1, -1, 2.356194490192345"
  })
  void numbersAreArithmetic(String operation, double left, double right, double result) {
    Value value =
        apply(operation, new Numbers(new double[] {left}), new Numbers(new double[] {right}));
    assertThat(((Numbers) value).values()[0]).isEqualTo(Double.valueOf(result));
  }

  @ParameterizedTest
  @ValueSource(strings = {"and", "or", "unless", ">", "=="})
  void whatTwoNumbersCannotBeIsSaid(String operation) {
    Numbers numbers = new Numbers(new double[] {1});
    assertThatThrownBy(() -> apply(operation, numbers, numbers))
        .isInstanceOfSatisfying(
            PromQlFault.class, fault -> assertThat(fault.isUnsupported()).isFalse());
  }

  private static List<String> quantile(double quantile, String... buckets) {
    return texts(
        BucketQuantile.of(new Numbers(new double[] {quantile, quantile}), vector(buckets)));
  }

  @Test
  void quantilesOfBucketsAreInterpolated() {
    String[] buckets = {
      "b{a=1,le=1} 2 2", "b{a=1,le=2} 6 -", "b{a=1,le=+Inf} 8 8", "b{a=2,le=1} 1 1", "b{a=3} 1 1"
    };
    assertThat(quantile(0.5, buckets)).containsExactly("{a=1} 1.5 1", "{a=2} NaN NaN");
    assertThat(quantile(0.125, buckets).get(0)).isEqualTo("{a=1} 0.5 0.5");
    assertThat(quantile(1, buckets).get(0)).isEqualTo("{a=1} 2 1");
    assertThat(quantile(-0.1, buckets).get(0)).isEqualTo("{a=1} -Infinity -Infinity");
    assertThat(quantile(1.1, buckets).get(0)).isEqualTo("{a=1} Infinity Infinity");
    assertThat(quantile(Double.NaN, buckets).get(0)).isEqualTo("{a=1} NaN NaN");
    assertThat(quantile(0.5, "b{le=-1} 3 0", "b{le=+Inf} 4 0")).containsExactly("{} -1 NaN");
  }

  /** As two versions of a client write it. */
  @Test
  void aBoundThatIsWrittenInTwoWaysIsOneBucket() {
    assertThat(
            quantile(
                0.5,
                "b{le=1} 1 1",
                "b{le=1.0} 3 -",
                "b{le=2} 6 6",
                "b{le=2.0} 2 -",
                "b{le=+Inf} 8 6"))
        .containsExactly("{} 1 1.4");
  }

  @Test
  void groupingsKeepWhatTheySay() {
    assertThat(new Grouping(true, Set.of("a")).keeps(LabelMatcher.NAME)).isFalse();
    assertThat(new Grouping(false, Set.of(LabelMatcher.NAME)).keeps(LabelMatcher.NAME)).isTrue();
    assertThat(Aggregator.values()).hasSize(5);
  }

  @Test
  void manySeriesMeetOneAndTakeItsLabels() {
    Vector right = vector("info{path=a,team=red} 2 3", "info{path=b,team=blue} 10 -");
    assertThat(texts(apply("* on (path) group_left (team)", REQUESTS, right)))
        .containsExactly(
            "{code=500,path=a,team=red} 8 24",
            "{code=404,path=a,team=red} 4 -",
            "{code=500,path=b,team=blue} 60 -");
    assertThat(texts(apply("/ on (path) group_right", right, REQUESTS)))
        .containsExactly(
            "{code=500,path=a} 0.5 0.375",
            "{code=404,path=a} 1 -",
            "{code=500,path=b} 1.6666666666666667 -");
    assertThat(texts(apply("> on (path) group_left", REQUESTS, right)))
        .containsExactly("requests{code=500,path=a} 4 8");
    assertThatThrownBy(
            () ->
                apply(
                    "* on (path) group_left",
                    REQUESTS,
                    vector("i{path=a,x=1} 1 1", "i{path=a,x=2} 1 1")))
        .hasMessageContaining("several series on the right side");
  }

  private static Vector grouped(String text, Vector vector, double parameter) {
    Expression.GroupCall call = (Expression.GroupCall) ExpressionParser.parse(text);
    return GroupMath.apply(
        call.function(), new Numbers(new double[] {parameter, parameter}), call.grouping(), vector);
  }

  @Test
  void someSeriesOfAGroupAreChosenStepByStep() {
    assertThat(texts(grouped("topk(1, x)", REQUESTS, 1)))
        .containsExactly("requests{code=500,path=a} - 8", "requests{code=500,path=b} 6 -");
    assertThat(texts(grouped("bottomk by (code) (1, x)", REQUESTS, 1)))
        .containsExactly(
            "requests{code=500,path=a} 4 -",
            "requests{code=500,path=b} - 6",
            "requests{code=404,path=a} 2 -");
    assertThat(grouped("topk(0, x)", REQUESTS, 0).series()).isEmpty();
  }

  @Test
  void groupsAreDescribed() {
    assertThat(texts(grouped("group by (path) (x)", REQUESTS, 0)))
        .containsExactly("{path=a} 1 1", "{path=b} 1 1");
    assertThat(texts(grouped("stdvar(x)", REQUESTS, 0))).containsExactly("{} 2.6666666666666665 1");
    assertThat(texts(grouped("quantile(0.5, x)", REQUESTS, 0.5))).containsExactly("{} 4 7");
    assertThat(texts(grouped("quantile(0.25, x)", REQUESTS, 0.25))).containsExactly("{} 3 6.5");
    assertThat(texts(grouped("quantile(2, x)", REQUESTS, 2)))
        .containsExactly("{} Infinity Infinity");
  }
}

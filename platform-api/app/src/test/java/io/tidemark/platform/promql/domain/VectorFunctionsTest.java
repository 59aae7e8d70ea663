package io.tidemark.platform.promql.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of values, with the results that Prometheus has. */
class VectorFunctionsTest {

  private static SeriesValues series(Map<String, String> labels, double... values) {
    SeriesValues series = new SeriesValues(new TreeMap<>(labels), values.length);
    for (int step = 0; step < values.length; step++) {
      series.put(step, values[step]);
    }
    return series;
  }

  private static Vector of(double value) {
    return new Vector(List.of(series(Map.of("__name__", "x", "a", "1"), value)));
  }

  private static double only(Vector vector) {
    assertThat(vector.series()).hasSize(1);
    return vector.series().get(0).at(0);
  }

  private static Numbers number(double value) {
    return new Numbers(new double[] {value});
  }

  @ParameterizedTest
  @CsvSource({
    "abs, -2.5, 2.5",
    "ceil, 1.2, 2",
    "floor, -1.2, -2",
    "sgn, -7, -1",
    "log2, 8, 3",
    "log10, 1000, 3",
    "sqrt, 9, 3",
    "ln, 0, -Infinity",
    "minute, 1767225661, 1",
    "hour, 1767225661, 0",
    "day_of_week, 1767225661, 4",
    "day_of_year, 1767225661, 1",
    "days_in_month, 1767225661, 31",
    "month, 1767225661, 1",
    "year, 1767225661, 2026"
  })
  void valuesAreMapped(String function, double value, double expected) {
    Vector mapped = VectorFunctions.ofValues(function, of(value));
    assertThat(only(mapped)).isEqualTo(expected);
    assertThat(mapped.series().get(0).labels()).as("the name goes").isEqualTo(Map.of("a", "1"));
  }

  @Test
  void boundsAndMultiples() {
    assertThat(only(VectorFunctions.clamp(of(7), number(1), number(5)))).isEqualTo(5);
    assertThat(VectorFunctions.clamp(of(7), number(5), number(1)).series()).isEmpty();
    assertThat(only(VectorFunctions.round(of(2.5), number(1)))).isEqualTo(3);
    assertThat(only(VectorFunctions.round(of(-2.5), number(1)))).isEqualTo(-2);
    assertThat(only(VectorFunctions.round(of(7), number(5)))).isEqualTo(5);
  }

  @Test
  void oneSeriesIsANumberAndNoneIsAbsent() {
    assertThat(VectorFunctions.scalar(of(7), 1).values()).containsExactly(7);
    Vector two = new Vector(List.of(series(Map.of("a", "1"), 1), series(Map.of("a", "2"), 2)));
    assertThat(VectorFunctions.scalar(two, 1).values()[0]).isNaN();
    Expression selector = ExpressionParser.parse("x{job=\"a\",env!=\"b\",p=\"1\",p=\"2\"}");
    Vector absent = VectorFunctions.absent(selector, new Vector(List.of()), 1);
    assertThat(only(absent)).isEqualTo(1);
    assertThat(absent.series().get(0).labels()).isEqualTo(Map.of("job", "a"));
    assertThat(VectorFunctions.absent(selector, of(1), 1).series()).isEmpty();
  }

  @Test
  void oneStepIsSortedAndNaNComesLast() {
    Vector vector =
        new Vector(
            List.of(
                series(Map.of("a", "1"), Double.NaN),
                series(Map.of("a", "2"), 1),
                series(Map.of("a", "3"), 2)));
    assertThat(VectorFunctions.sorted(vector, true).series())
        .extracting(each -> each.labels().get("a"))
        .containsExactly("3", "2", "1");
    assertThat(VectorFunctions.sorted(vector, false).series())
        .extracting(each -> each.labels().get("a"))
        .containsExactly("2", "3", "1");
  }

  @Test
  void labelsAreMadeOfOthers() {
    Vector vector = new Vector(List.of(series(Map.of("__name__", "x", "host", "a-1:90"), 1)));
    Vector replaced = VectorFunctions.replaced(vector, "node", "$1/${2}$$", "host", "(.*):(.*)");
    assertThat(replaced.series().get(0).labels())
        .isEqualTo(Map.of("__name__", "x", "host", "a-1:90", "node", "a-1/90$"));
    assertThat(VectorFunctions.replaced(vector, "host", "", "host", ".*").series().get(0).labels())
        .isEqualTo(Map.of("__name__", "x"));
    assertThat(VectorFunctions.replaced(vector, "node", "y", "host", "b").series().get(0).labels())
        .isEqualTo(vector.series().get(0).labels());
    assertThat(
            VectorFunctions.joined(vector, "all", "-", List.of("host", "none", "host"))
                .series()
                .get(0)
                .labels())
        .containsEntry("all", "a-1:90--a-1:90");
    assertThatThrownBy(() -> VectorFunctions.replaced(vector, "1x", "y", "host", "b"))
        .hasMessageContaining("destination label");
    assertThatThrownBy(() -> VectorFunctions.replaced(vector, "n", "y", "host", "("))
        .hasMessageContaining("regexp");
  }
}

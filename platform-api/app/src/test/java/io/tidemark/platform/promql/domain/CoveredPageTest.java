package io.tidemark.platform.promql.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.Expression.GroupFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/reference/promql.md says what is covered, all of it and no more. */
class CoveredPageTest {

  private static final Path PAGE = Path.of("../../docs/reference/promql.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Set<String> OTHER_WORDS =
      Set.of("bool", "on", "ignoring", "group_left", "group_right");

  /** The names in code of a column of the row that begins with a word. */
  private static Set<String> column(String row, int column) throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| " + row + " |"))
            .toList();
    assertThat(rows).as(row).hasSize(1);
    Set<String> names = new TreeSet<>();
    CODE.matcher(rows.get(0).split(" \\| ")[column])
        .results()
        .forEach(found -> names.addAll(Arrays.asList(found.group(1).split(" "))));
    return names;
  }

  private static void assertRefused(String text, String name) {
    assertThatThrownBy(() -> ExpressionParser.parse(text))
        .as(text)
        .isInstanceOfSatisfying(
            PromQlFault.class, fault -> assertThat(fault.isUnsupported()).isTrue())
        .hasMessageStartingWith("not supported: ")
        .hasMessageContaining(name);
  }

  @Test
  void functionsOfTheTableAreThoseThatAreAnswered() throws IOException {
    Set<String> all = new TreeSet<>(Functions.answered());
    assertThat(column("functions", 1)).isEqualTo(all);
    for (String name : all) {
      String arguments =
          switch (name) {
            case Functions.QUANTILE -> "0.9, x";
            case Functions.TIME, "pi" -> "";
            case Functions.VECTOR -> "1";
            case "clamp" -> "x, 1, 2";
            case "clamp_min", "clamp_max" -> "x, 1";
            case "label_replace" -> "x, \"a\", \"$1\", \"b\", \"(.*)\"";
            case "label_join" -> "x, \"a\", \"-\", \"b\", \"c\"";
            case "predict_linear" -> "x[5m], 60";
            case "quantile_over_time" -> "0.9, x[5m:1m]";
            case "sort_by_label", "sort_by_label_desc" -> "x, \"a\", \"b\"";
            default -> window(name);
          };
      assertThat(ExpressionParser.parse(name + "(" + arguments + ")")).as(name).isNotNull();
    }
  }

  private static String window(String function) {
    WindowValue value = Functions.OF_WINDOWS.get(function);
    return value == null ? "x" : value.isOfMinutes() ? "x[5m]" : "x[5m:1m]";
  }

  @Test
  void functionsOfSubqueriesAreThoseOfTheTable() throws IOException {
    Set<String> ofSubqueries = new TreeSet<>();
    Set<String> others = new TreeSet<>();
    Functions.OF_WINDOWS.forEach(
        (name, value) -> (value.isOfSubqueries() ? ofSubqueries : others).add(name));
    assertThat(column("of a subquery", 1)).isEqualTo(ofSubqueries);
    assertThat(column("of a subquery", 2)).isEqualTo(others);
    Set<String> ofSubqueriesAlone = new TreeSet<>();
    Functions.OF_WINDOWS.forEach(
        (name, value) -> {
          if (!value.isOfMinutes()) {
            ofSubqueriesAlone.add(name);
          }
        });
    assertThat(column("of a selector's window", 2)).isEqualTo(ofSubqueriesAlone);
  }

  /** Every other function of Prometheus 3 is known, so that nobody looks for a slip of the pen. */
  @Test
  void otherFunctionsAreRefusedByName() {
    for (String name :
        List.of("first_over_time", "resets", "timestamp", "mad_over_time", "histogram_quantiles")) {
      assertRefused(name + "(x)", "function " + name);
    }
    assertThatThrownBy(() -> ExpressionParser.parse("nosuch(x)"))
        .hasMessage("unknown function with name \"nosuch\"");
  }

  @Test
  void aggregationsOfTheTableAreThoseThatAreAnswered() throws IOException {
    Set<String> answered = column("aggregations", 1);
    answered.removeAll(Set.of("by", "without"));
    assertThat(answered)
        .isEqualTo(
            Stream.of(Aggregator.values(), GroupFunction.values())
                .flatMap(Arrays::stream)
                .map(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new)));
    for (String name : column("aggregations", 2)) {
      assertRefused(name + "(2, x)", "aggregation " + name + "; use sum, avg, min, max or count");
      assertRefused(name + " by (a) (2, x)", "aggregation " + name);
    }
    assertThat(column("aggregations", 2)).contains("limitk").hasSize(2);
  }

  @Test
  void operatorsOfTheTableAreThoseThatAreAnswered() throws IOException {
    Set<String> answered = column("operators", 1);
    assertThat(answered).containsAll(OTHER_WORDS);
    answered.removeAll(OTHER_WORDS);
    assertThat(answered)
        .isEqualTo(
            Arrays.stream(Operation.values())
                .map(Operation::text)
                .collect(Collectors.toCollection(TreeSet::new)));
    for (String name : column("operators", 2)) {
      assertRefused("x * on (a) " + name + "(b) y", name);
    }
    assertThat(column("operators", 2)).contains("fill");
  }

  @Test
  void ofSelectorsWhatIsNotAnsweredIsRefusedByName() {
    assertRefused("rate(x[5m:1m])", "function rate of a subquery");
    assertRefused("stddev_over_time(x[5m])", "take a subquery like m[1h:1m]");
    assertRefused("rate(x[5m] anchored)", "the anchored modifier");
  }
}

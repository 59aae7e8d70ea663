package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.Selector;
import io.tidemark.platform.promql.domain.Expression.Subquery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which functions there are, and which of them are answered. */
public final class Functions {

  /** Functions of a window, by what they take from it. */
  static final Map<String, WindowValue> OF_WINDOWS =
      Map.ofEntries(
          Map.entry("rate", WindowValue.RATE),
          Map.entry("increase", WindowValue.INCREASE),
          Map.entry("irate", WindowValue.INSTANT_RATE),
          Map.entry("sum_over_time", WindowValue.SUM),
          Map.entry("avg_over_time", WindowValue.MEAN),
          Map.entry("min_over_time", WindowValue.MIN),
          Map.entry("max_over_time", WindowValue.MAX),
          Map.entry("count_over_time", WindowValue.COUNT),
          Map.entry("last_over_time", WindowValue.LAST),
          Map.entry("present_over_time", WindowValue.PRESENT),
          Map.entry("absent_over_time", WindowValue.ABSENT),
          Map.entry("delta", WindowValue.DELTA),
          Map.entry("idelta", WindowValue.INSTANT_DELTA),
          Map.entry("deriv", WindowValue.SLOPE),
          Map.entry("predict_linear", WindowValue.PREDICTION),
          Map.entry("changes", WindowValue.CHANGES),
          Map.entry("stddev_over_time", WindowValue.DEVIATION),
          Map.entry("stdvar_over_time", WindowValue.VARIANCE),
          Map.entry("quantile_over_time", WindowValue.QUANTILE));

  static final String QUANTILE = "histogram_quantile";
  static final String TIME = "time";
  static final String VECTOR = "vector";

  /** How many arguments a function takes. */
  private record Arity(int least, int most) {}

  private static final Map<String, Arity> ARITIES = arities();

  private static final Set<String> NOT_ANSWERED =
      Set.of(
          ("double_exponential_smoothing end fill fill_left fill_right first_over_time"
                  + " histogram_avg histogram_count histogram_fraction histogram_quantiles"
                  + " histogram_stddev histogram_stdvar histogram_sum holt_winters info"
                  + " mad_over_time max_of min_of range resets start start_timestamp"
                  + " step timestamp ts_of_first_over_time"
                  + " ts_of_last_over_time ts_of_max_over_time ts_of_min_over_time")
              .split(" "));

  private static Map<String, Arity> arities() {
    Map<String, Arity> arities = new HashMap<>();
    OF_WINDOWS.keySet().forEach(name -> arities.put(name, new Arity(1, 1)));
    VectorFunctions.OF_VALUES.keySet().forEach(name -> arities.put(name, new Arity(1, 1)));
    VectorFunctions.OF_TIMES.keySet().forEach(name -> arities.put(name, new Arity(0, 1)));
    arities.put(QUANTILE, new Arity(2, 2));
    arities.put(TIME, new Arity(0, 0));
    arities.put("pi", new Arity(0, 0));
    arities.put(VECTOR, new Arity(1, 1));
    arities.put("scalar", new Arity(1, 1));
    arities.put("absent", new Arity(1, 1));
    arities.put("sort", new Arity(1, 1));
    arities.put("sort_desc", new Arity(1, 1));
    arities.put("round", new Arity(1, 2));
    arities.put("clamp", new Arity(3, 3));
    arities.put("clamp_min", new Arity(2, 2));
    arities.put("clamp_max", new Arity(2, 2));
    arities.put("label_replace", new Arity(5, 5));
    arities.put("label_join", new Arity(3, Integer.MAX_VALUE));
    arities.put("predict_linear", new Arity(2, 2));
    arities.put("quantile_over_time", new Arity(2, 2));
    arities.put("sort_by_label", new Arity(2, Integer.MAX_VALUE));
    arities.put("sort_by_label_desc", new Arity(2, Integer.MAX_VALUE));
    return Map.copyOf(arities);
  }

  /**
   * A function of a range.
   *
   * @param parameter null for functions without one
   */
  public record RangeCall(WindowValue value, Expression range, @Nullable Expression parameter) {}

  /** The call as one of a range; empty for other functions. */
  public static Optional<RangeCall> ofRange(Call call) {
    WindowValue value = OF_WINDOWS.get(call.function());
    if (value == null) {
      return Optional.empty();
    }
    int range = rangeIndex(value);
    return Optional.of(
        new RangeCall(
            value,
            call.arguments().get(range),
            call.arguments().size() == 1 ? null : call.arguments().get(1 - range)));
  }

  /** All that are answered. */
  static Set<String> answered() {
    return ARITIES.keySet();
  }

  private Functions() {}

  /** That a function of this name is answered. */
  static void check(String name) {
    if (NOT_ANSWERED.contains(name)) {
      throw PromQlFault.unsupported("function " + name);
    }
    if (!ARITIES.containsKey(name)) {
      throw PromQlFault.wrong("unknown function with name \"" + name + "\"");
    }
  }

  /** That a function has the arguments that it takes. */
  static void check(String name, List<Expression> arguments) {
    Arity expected = ARITIES.get(name);
    if (arguments.size() < Objects.requireNonNull(expected).least()
        || arguments.size() > expected.most()) {
      throw PromQlFault.wrong(
          "expected "
              + (arguments.size() < expected.least() ? expected.least() : expected.most())
              + " argument(s) in call to \""
              + name
              + "\", got "
              + arguments.size());
    }
    WindowValue value = OF_WINDOWS.get(name);
    for (int i = 0; i < arguments.size(); i++) {
      boolean isRange =
          arguments.get(i) instanceof Subquery
              || arguments.get(i) instanceof Selector selector && selector.range() > 0;
      boolean isExpected = value != null && i == rangeIndex(value);
      if (isRange != isExpected) {
        throw PromQlFault.wrong(
            isExpected
                ? "expected a range vector like m[5m] in call to function \"" + name + "\""
                : "no range vector is expected in call to function \"" + name + "\"");
      }
    }
    if (value != null) {
      check(name, value, arguments.get(rangeIndex(value)));
    }
  }

  private static void check(String name, WindowValue value, Expression range) {
    if (range instanceof Subquery && !value.isOfSubqueries()) {
      throw PromQlFault.unsupported(
          "function "
              + name
              + " of a subquery: counters are stored as what they grew by; take it of the"
              + " selector");
    }
    if (range instanceof Selector && !value.isOfMinutes()) {
      throw PromQlFault.unsupported(
          "function "
              + name
              + " of samples, which are stored as minutes; take a subquery like m[1h:1m]");
    }
  }

  private static int rangeIndex(WindowValue value) {
    return value == WindowValue.QUANTILE ? 1 : 0;
  }

  /** What a call takes from the window of its selector; null when it is another function. */
  static @Nullable WindowValue ofWindow(Call call) {
    WindowValue value = OF_WINDOWS.get(call.function());
    boolean isLeaf =
        value != null
            && value != WindowValue.ABSENT
            && value != WindowValue.PREDICTION
            && call.arguments().get(rangeIndex(value)) instanceof Selector;
    return isLeaf ? value : null;
  }
}

package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.Selector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which functions there are, and which of them are answered. */
final class Functions {

  /** Functions of a window, by what they take from it. */
  static final Map<String, WindowValue> OF_WINDOWS =
      Map.of(
          "rate", WindowValue.RATE,
          "increase", WindowValue.INCREASE,
          "sum_over_time", WindowValue.SUM,
          "avg_over_time", WindowValue.MEAN,
          "min_over_time", WindowValue.MIN,
          "max_over_time", WindowValue.MAX,
          "count_over_time", WindowValue.COUNT,
          "last_over_time", WindowValue.LAST,
          "present_over_time", WindowValue.PRESENT);

  static final String QUANTILE = "histogram_quantile";
  static final String TIME = "time";
  static final String VECTOR = "vector";

  /** How many arguments a function takes. */
  private record Arity(int least, int most) {}

  private static final Map<String, Arity> ARITIES = arities();

  private static final Set<String> NOT_ANSWERED =
      Set.of(
          ("absent_over_time acosh asinh atanh changes delta deriv"
                  + " double_exponential_smoothing end fill fill_left fill_right first_over_time"
                  + " histogram_avg histogram_count histogram_fraction histogram_quantiles"
                  + " histogram_stddev histogram_stdvar histogram_sum holt_winters idelta info"
                  + " irate mad_over_time max_of min_of predict_linear quantile_over_time range"
                  + " resets sort_by_label sort_by_label_desc start start_timestamp"
                  + " stddev_over_time stdvar_over_time step timestamp ts_of_first_over_time"
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
    return Map.copyOf(arities);
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
    if (arguments.size() < expected.least() || arguments.size() > expected.most()) {
      throw PromQlFault.wrong(
          "expected "
              + (arguments.size() < expected.least() ? expected.least() : expected.most())
              + " argument(s) in call to \""
              + name
              + "\", got "
              + arguments.size());
    }
    for (Expression argument : arguments) {
      boolean isWindow = argument instanceof Selector selector && selector.range() > 0;
      if (isWindow != OF_WINDOWS.containsKey(name)) {
        throw PromQlFault.wrong(
            OF_WINDOWS.containsKey(name)
                ? "expected a range vector like m[5m] in call to function \"" + name + "\""
                : "no range vector is expected in call to function \"" + name + "\"");
      }
    }
  }

  /** What a call takes from the window of its selector; null when it is another function. */
  static WindowValue ofWindow(Call call) {
    return OF_WINDOWS.get(call.function());
  }
}

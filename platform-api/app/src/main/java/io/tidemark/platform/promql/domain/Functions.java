package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.Selector;
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

  private static final Set<String> NOT_ANSWERED =
      Set.of(
          ("abs absent absent_over_time acos acosh asin asinh atan atanh ceil changes"
                  + " clamp clamp_max clamp_min cos cosh day_of_month day_of_week day_of_year"
                  + " days_in_month deg delta deriv double_exponential_smoothing end exp fill"
                  + " fill_left fill_right first_over_time floor histogram_avg histogram_count"
                  + " histogram_fraction histogram_quantiles histogram_stddev histogram_stdvar"
                  + " histogram_sum holt_winters hour idelta info irate label_join label_replace ln"
                  + " log10 log2 mad_over_time max_of min_of minute month pi predict_linear"
                  + " quantile_over_time rad range resets round scalar sgn sin sinh sort"
                  + " sort_by_label sort_by_label_desc sort_desc sqrt start start_timestamp"
                  + " stddev_over_time stdvar_over_time step tan tanh timestamp"
                  + " ts_of_first_over_time ts_of_last_over_time ts_of_max_over_time"
                  + " ts_of_min_over_time year")
              .split(" "));

  private Functions() {}

  /** That a function of this name is answered. */
  static void check(String name) {
    if (NOT_ANSWERED.contains(name)) {
      throw PromQlFault.unsupported("function " + name);
    }
    if (!OF_WINDOWS.containsKey(name)
        && !name.equals(QUANTILE)
        && !name.equals(TIME)
        && !name.equals(VECTOR)) {
      throw PromQlFault.wrong("unknown function with name \"" + name + "\"");
    }
  }

  /** That a function has the arguments that it takes. */
  static void check(String name, List<Expression> arguments) {
    int expected = name.equals(QUANTILE) ? 2 : name.equals(TIME) ? 0 : 1;
    if (arguments.size() != expected) {
      throw PromQlFault.wrong(
          "expected "
              + expected
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

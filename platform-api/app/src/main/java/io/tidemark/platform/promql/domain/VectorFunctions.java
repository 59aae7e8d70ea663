package io.tidemark.platform.promql.domain;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.tidemark.platform.promql.domain.Expression.Selector;
import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToIntFunction;

/** Functions of values, step by step, as Prometheus has them. They read nothing. */
public final class VectorFunctions {

  private static final double LN_2 = Math.log(2);

  /** Functions of one value. */
  static final Map<String, DoubleUnaryOperator> OF_VALUES =
      Map.ofEntries(
          Map.entry("abs", Math::abs),
          Map.entry("ceil", Math::ceil),
          Map.entry("floor", Math::floor),
          Map.entry("exp", Math::exp),
          Map.entry("ln", Math::log),
          Map.entry("log2", value -> Math.log(value) / LN_2),
          Map.entry("log10", Math::log10),
          Map.entry("sqrt", Math::sqrt),
          Map.entry("sgn", Math::signum),
          Map.entry("deg", Math::toDegrees),
          Map.entry("rad", Math::toRadians),
          Map.entry("sin", Math::sin),
          Map.entry("cos", Math::cos),
          Map.entry("tan", Math::tan),
          Map.entry("asin", Math::asin),
          Map.entry("acos", Math::acos),
          Map.entry("atan", Math::atan),
          Map.entry("sinh", Math::sinh),
          Map.entry("cosh", Math::cosh),
          Map.entry("tanh", Math::tanh),
          Map.entry("asinh", VectorFunctions::areaSine),
          Map.entry("acosh", value -> Math.log(value + Math.sqrt(value * value - 1))),
          Map.entry("atanh", value -> 0.5 * (Math.log1p(value) - Math.log1p(-value))));

  /** Functions of a time in seconds since the epoch, in UTC. */
  static final Map<String, ToIntFunction<OffsetDateTime>> OF_TIMES =
      Map.of(
          "minute", OffsetDateTime::getMinute,
          "hour", OffsetDateTime::getHour,
          "day_of_week", time -> time.getDayOfWeek().getValue() % 7,
          "day_of_month", OffsetDateTime::getDayOfMonth,
          "day_of_year", OffsetDateTime::getDayOfYear,
          "days_in_month", time -> time.toLocalDate().lengthOfMonth(),
          "month", OffsetDateTime::getMonthValue,
          "year", OffsetDateTime::getYear);

  private static final String BETWEEN_DIGITS = "(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)";
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_.]*");
  private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\$|(\\w+)|\\{(\\w+)\\})");

  private VectorFunctions() {}

  /** A function of each value, or of each value as a time. */
  public static Vector ofValues(String function, Vector vector) {
    DoubleUnaryOperator operator = OF_VALUES.get(function);
    return mapped(
        vector,
        (step, value) ->
            operator == null
                ? ofTime(Objects.requireNonNull(OF_TIMES.get(function)), value)
                : operator.applyAsDouble(value));
  }

  private static double ofTime(ToIntFunction<OffsetDateTime> function, double seconds) {
    try {
      return function.applyAsInt(
          Instant.ofEpochSecond((long) Math.floor(seconds)).atOffset(ZoneOffset.UTC));
    } catch (DateTimeException outside) {
      return Double.NaN;
    }
  }

  /** Values within bounds; none where the bounds leave nothing. */
  public static Vector clamp(Vector vector, Numbers least, Numbers most) {
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues series : vector.series()) {
      SeriesValues result = new SeriesValues(series.nameless(), series.steps());
      for (int step = 0; step < series.steps(); step++) {
        double lower = least.values()[step];
        double upper = most.values()[step];
        if (series.has(step) && !(lower > upper)) {
          result.put(step, Math.max(lower, Math.min(upper, series.at(step))));
        }
      }
      results.add(result);
    }
    return new Vector(results);
  }

  /** To the nearest multiple; halves go up. */
  public static Vector round(Vector vector, Numbers multiple) {
    return mapped(
        vector,
        (step, value) -> {
          double inverse = 1 / multiple.values()[step];
          return Math.floor(value * inverse + 0.5) / inverse;
        });
  }

  /** The value of the only series of a step, else NaN. */
  public static Numbers scalar(Vector vector, int steps) {
    double[] numbers = new double[steps];
    for (int step = 0; step < steps; step++) {
      int at = step;
      List<SeriesValues> present =
          vector.series().stream().filter(series -> series.has(at)).toList();
      numbers[step] = present.size() == 1 ? present.get(0).at(step) : Double.NaN;
    }
    return new Numbers(numbers);
  }

  /** 1 where no series has a value, with the labels that the expression asks for by name. */
  public static Vector absent(Expression of, Vector vector, int steps) {
    SortedMap<String, String> labels = new TreeMap<>();
    if (of instanceof Selector selector) {
      Set<String> seen = new HashSet<>(Set.of(LabelMatcher.NAME));
      for (LabelMatcher matcher : selector.matchers()) {
        if (!seen.add(matcher.label())) {
          labels.remove(matcher.label());
        } else if (matcher.operator() == LabelMatcher.Operator.EQUAL) {
          labels.put(matcher.label(), matcher.text());
        }
      }
    }
    SeriesValues absent = new SeriesValues(labels, steps);
    for (int step = 0; step < steps; step++) {
      int at = step;
      if (vector.series().stream().noneMatch(series -> series.has(at))) {
        absent.put(step, 1);
      }
    }
    return new Vector(List.of(absent));
  }

  /** By value where there is one step; answers over time have no order. */
  public static Vector sorted(Vector vector, boolean isDescending) {
    if (vector.series().stream().anyMatch(series -> series.steps() != 1)) {
      return vector;
    }
    List<SeriesValues> sorted = new ArrayList<>(vector.series());
    sorted.sort(Comparator.comparing(series -> series.at(0), order(isDescending)));
    return new Vector(sorted);
  }

  private static double areaSine(double value) {
    double size = Math.abs(value);
    return Math.copySign(Math.log(size + Math.hypot(size, 1)), value);
  }

  /** By the values of labels, numbers in them by their size, where there is one step. */
  public static Vector sortedByLabels(Vector vector, List<String> labels, boolean isDescending) {
    if (vector.series().stream().anyMatch(series -> series.steps() != 1)) {
      return vector;
    }
    Comparator<SeriesValues> order =
        labels.stream()
            .map(
                label ->
                    Comparator.comparing(
                        (SeriesValues series) -> series.labels().getOrDefault(label, ""),
                        VectorFunctions::natural))
            .reduce(Comparator::thenComparing)
            .orElse(Comparator.comparing(series -> series.labels().toString()));
    List<SeriesValues> sorted = new ArrayList<>(vector.series());
    sorted.sort(isDescending ? order.reversed() : order);
    return new Vector(sorted);
  }

  /** Texts, of which digits are compared as numbers. */
  private static int natural(String one, String other) {
    String[] parts = one.split(BETWEEN_DIGITS);
    String[] others = other.split(BETWEEN_DIGITS);
    for (int i = 0; i < Math.min(parts.length, others.length); i++) {
      boolean areNumbers = parts[i].matches("\\d{1,30}") && others[i].matches("\\d{1,30}");
      int compared =
          areNumbers
              ? new BigInteger(parts[i]).compareTo(new BigInteger(others[i]))
              : parts[i].compareTo(others[i]);
      if (compared != 0) {
        return compared;
      }
    }
    return Integer.compare(parts.length, others.length);
  }

  /** NaN comes last either way. */
  static Comparator<Double> order(boolean isDescending) {
    Comparator<Double> numbers = isDescending ? Comparator.reverseOrder() : Double::compare;
    return Comparator.<Double, Boolean>comparing(value -> value.isNaN()).thenComparing(numbers);
  }

  /** A label made of another one where a pattern fits it. */
  public static Vector replaced(
      Vector vector, String label, String replacement, String source, String regex) {
    checkLabel(label);
    Pattern pattern = LabelMatcher.compiled(regex);
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues series : vector.series()) {
      Matcher matcher = pattern.matcher(series.labels().getOrDefault(source, ""));
      results.add(
          matcher.matches() ? relabelled(series, label, expanded(replacement, matcher)) : series);
    }
    return new Vector(results);
  }

  /** A label made of several others. */
  public static Vector joined(Vector vector, String label, String separator, List<String> sources) {
    checkLabel(label);
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues series : vector.series()) {
      List<String> texts =
          sources.stream().map(source -> series.labels().getOrDefault(source, "")).toList();
      results.add(relabelled(series, label, String.join(separator, texts)));
    }
    return new Vector(results);
  }

  static void checkLabel(String label) {
    if (!LABEL.matches(label)) {
      throw PromQlFault.wrong("invalid destination label name \"" + label + "\"");
    }
  }

  private static String expanded(String replacement, Matcher matched) {
    StringBuilder text = new StringBuilder();
    Matcher reference = REFERENCE.matcher(replacement);
    int from = 0;
    while (reference.find()) {
      text.append(replacement, from, reference.start());
      from = reference.end();
      String name = reference.group(1) == null ? reference.group(2) : reference.group(1);
      text.append(name == null ? "$" : group(matched, name));
    }
    return text.append(replacement.substring(from)).toString();
  }

  /** What a group caught; nothing for one that is not there. */
  private static String group(Matcher matched, String name) {
    try {
      String found =
          name.matches("\\d{1,4}") ? matched.group(Integer.parseInt(name)) : matched.group(name);
      return found == null ? "" : found;
    } catch (IndexOutOfBoundsException | IllegalArgumentException none) {
      return "";
    }
  }

  private static SeriesValues relabelled(SeriesValues series, String label, String text) {
    SortedMap<String, String> labels = new TreeMap<>(series.labels());
    if (text.isEmpty()) {
      labels.remove(label);
    } else {
      labels.put(label, text);
    }
    SeriesValues result = new SeriesValues(labels, series.steps());
    for (int step = 0; step < series.steps(); step++) {
      if (series.has(step)) {
        result.put(step, series.at(step));
      }
    }
    return result;
  }

  private interface StepFunction {
    double apply(int step, double value);
  }

  private static Vector mapped(Vector vector, StepFunction function) {
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues series : vector.series()) {
      SeriesValues result = new SeriesValues(series.nameless(), series.steps());
      for (int step = 0; step < series.steps(); step++) {
        if (series.has(step)) {
          result.put(step, function.apply(step, series.at(step)));
        }
      }
      results.add(result);
    }
    return new Vector(results);
  }
}

package io.tidemark.platform.promql.web;

import io.tidemark.contracts.prometheusapi.model.AnswerStatus;
import io.tidemark.contracts.prometheusapi.model.MetadataAnswer;
import io.tidemark.contracts.prometheusapi.model.MetricMetadata;
import io.tidemark.contracts.prometheusapi.model.QueryAnswer;
import io.tidemark.contracts.prometheusapi.model.QueryData;
import io.tidemark.contracts.prometheusapi.model.QueryData.ResultTypeEnum;
import io.tidemark.platform.promql.application.PromQlEvaluator.Evaluated;
import io.tidemark.platform.promql.application.PrometheusMetadata.Description;
import io.tidemark.platform.promql.domain.Durations;
import io.tidemark.platform.promql.domain.SeriesValues;
import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parameters and answers of Prometheus' API. */
final class PrometheusApiMapping {

  private static final Pattern SECONDS =
      Pattern.compile("[+-]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:[eE][+-]?\\d{1,2})?");
  private static final long FARTHEST = 9_214_646_400_000L;
  private static final String CUT = "results truncated due to limit";

  private PrometheusApiMapping() {}

  /** Milliseconds since the epoch. */
  static long time(String parameter, @Nullable String text) {
    if (SECONDS.matcher(text).matches()) {
      double milliseconds = Double.parseDouble(text) * 1_000;
      if (Math.abs(milliseconds) <= FARTHEST) {
        return Math.round(milliseconds);
      }
    } else {
      try {
        return OffsetDateTime.parse(text).toInstant().toEpochMilli();
      } catch (DateTimeException | ArithmeticException unreadable) {
        // Told below.
      }
    }
    throw invalid(
        parameter, "cannot be read as seconds since the epoch or RFC 3339 between 1970 and 2262");
  }

  /** Null when the parameter is not there. */
  static @Nullable Instant instant(String parameter, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    long time = time(parameter, text);
    if (time < 0) {
      throw invalid(parameter, "must lie between 1970 and 2262");
    }
    return Instant.ofEpochMilli(time);
  }

  /** Milliseconds. */
  static long duration(String parameter, @Nullable String text) {
    OptionalLong duration = Durations.parse(text);
    if (duration.isEmpty()) {
      throw invalid(parameter, "cannot be read as a duration such as 1m, or as seconds");
    }
    return duration.getAsLong();
  }

  /** What is accepted without being followed has to be right all the same. */
  static void check(@Nullable String timeout, @Nullable String lookbackDelta) {
    if (timeout != null && !timeout.isEmpty()) {
      duration("timeout", timeout);
    }
    if (lookbackDelta != null
        && !lookbackDelta.isEmpty()
        && duration("lookback_delta", lookbackDelta) != 300_000) {
      throw ProblemException.of(
          ErrorCode.NOT_SUPPORTED_YET, "not supported: lookback_delta other than 5m");
    }
  }

  /** Number of items; all without a limit. */
  static int limit(@Nullable String text) {
    if (text == null || text.isEmpty() || text.equals("0")) {
      return Integer.MAX_VALUE;
    }
    if (!text.matches("\\d{1,9}")) {
      throw invalid("limit", "must be a whole number");
    }
    return Integer.parseInt(text);
  }

  static boolean isAbsent(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  private static ProblemException invalid(String parameter, String why) {
    return ProblemException.of(
        ErrorCode.INVALID_REQUEST, "invalid parameter \"" + parameter + "\": it " + why + ".");
  }

  /** The values at the only time. */
  static QueryAnswer instant(Evaluated evaluated, int limit) {
    Object time = seconds(evaluated.times().times()[0]);
    if (evaluated.value() instanceof Numbers numbers) {
      return answer(
          evaluated, ResultTypeEnum.SCALAR, List.of(time, text(numbers.values()[0])), false);
    }
    List<SeriesValues> all = ((Vector) evaluated.value()).series();
    List<Object> result = new ArrayList<>();
    for (SeriesValues series : all.subList(0, Math.min(all.size(), limit))) {
      result.add(Map.of("metric", series.labels(), "value", List.of(time, text(series.at(0)))));
    }
    return answer(evaluated, ResultTypeEnum.VECTOR, result, all.size() > limit);
  }

  /** The values at all times. */
  static QueryAnswer range(Evaluated evaluated, int limit) {
    List<SeriesValues> all =
        evaluated.value() instanceof Numbers numbers
            ? List.of(ofNumbers(numbers))
            : ((Vector) evaluated.value()).series();
    List<Object> result = new ArrayList<>();
    for (SeriesValues series : all.subList(0, Math.min(all.size(), limit))) {
      List<Object> values = new ArrayList<>(series.size());
      for (int step = 0; step < series.steps(); step++) {
        if (series.has(step)) {
          values.add(List.of(seconds(evaluated.times().times()[step]), text(series.at(step))));
        }
      }
      result.add(Map.of("metric", series.labels(), "values", values));
    }
    return answer(evaluated, ResultTypeEnum.MATRIX, result, all.size() > limit);
  }

  private static SeriesValues ofNumbers(Numbers numbers) {
    SeriesValues series = new SeriesValues(new TreeMap<>(), numbers.values().length);
    for (int step = 0; step < series.steps(); step++) {
      series.put(step, numbers.values()[step]);
    }
    return series;
  }

  private static QueryAnswer answer(
      Evaluated evaluated, ResultTypeEnum type, List<Object> result, boolean isCut) {
    return new QueryAnswer(AnswerStatus.SUCCESS, new QueryData(type, result))
        .infos(evaluated.notes().isEmpty() ? null : evaluated.notes())
        .warnings(warnings(isCut));
  }

  static @Nullable List<String> warnings(boolean isCut) {
    return isCut ? List.of(CUT) : null;
  }

  static MetadataAnswer metadata(List<Description> descriptions, int limit) {
    Map<String, List<MetricMetadata>> byName = new TreeMap<>();
    for (Description each : descriptions) {
      byName
          .computeIfAbsent(each.name(), ignored -> new ArrayList<>())
          .add(new MetricMetadata(each.type(), "", each.unit()));
    }
    for (String name : new TreeSet<>(byName.keySet()).descendingSet()) {
      if (byName.size() > limit) {
        byName.remove(name);
      }
    }
    return new MetadataAnswer(AnswerStatus.SUCCESS, byName);
  }

  /** Never with an exponent, which clients do not read in times. */
  private static Object seconds(long milliseconds) {
    return milliseconds % 1_000 == 0
        ? (Object) (milliseconds / 1_000)
        : BigDecimal.valueOf(milliseconds, 3);
  }

  /** A number as Prometheus writes it. */
  static String text(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    double size = Math.abs(value);
    if (size < 1e-6 || size >= 1e21) {
      return Double.toString(value).replace("E", "e");
    }
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}

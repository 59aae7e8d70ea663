package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.ExportedSeries;
import io.tidemark.platform.metricstore.TimeFunction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Writes an export as Prometheus text or as OpenMetrics. */
public final class ExportText {

  /** The two forms. */
  public enum Form {
    PROMETHEUS,
    OPENMETRICS
  }

  private record Family(String help, Map<String, Double> samples) {}

  private final Form form;
  private final String timestamp;
  private final Map<String, Family> families = new TreeMap<>();

  /**
   * An empty text.
   *
   * @param time of all samples
   */
  public ExportText(Form form, Instant time) {
    this.form = form;
    this.timestamp =
        form == Form.OPENMETRICS
            ? Long.toString(time.getEpochSecond())
            : Long.toString(time.toEpochMilli());
  }

  /**
   * Adds what a series did in the minute.
   *
   * @return false when a metric of another name that is written alike has samples of these labels
   */
  public boolean add(ExportedSeries series) {
    String name = metricName(series.metric());
    String labels = labels(series.labels());
    AggregateState figures = series.figures();
    return switch (series.kind()) {
      case GAUGE -> sample(name, series.metric(), labels, figures.value(TimeFunction.MEAN));
      case COUNTER -> sample(name, series.metric(), labels, figures.sum);
      case HISTOGRAM ->
          sample(name + "_count", series.metric(), labels, figures.count)
              & sample(name + "_sum", series.metric(), labels, figures.sum);
    };
  }

  /** Adds a sample of the export's own. */
  public void sample(String name, String help, Map<String, String> labels, double value) {
    sample(name, help, labels(labels), value);
  }

  private boolean sample(String name, String help, String labels, double value) {
    return !Double.isFinite(value)
        || families
                .computeIfAbsent(name, ignored -> new Family(help, new TreeMap<>()))
                .samples()
                .putIfAbsent(labels, value)
            == null;
  }

  /** The whole text. */
  public String text() {
    StringBuilder text = new StringBuilder();
    families.forEach(
        (name, family) -> {
          text.append("# HELP ").append(name).append(' ').append(escaped(family.help(), false));
          text.append("\n# TYPE ").append(name).append(" gauge\n");
          family
              .samples()
              .forEach(
                  (labels, value) ->
                      text.append(name)
                          .append(labels)
                          .append(' ')
                          .append(number(value))
                          .append(' ')
                          .append(timestamp)
                          .append('\n'));
        });
    if (form == Form.OPENMETRICS) {
      text.append("# EOF\n");
    }
    return text.toString();
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value) + ".0"
        : Double.toString(value);
  }

  private static String labels(Map<String, String> labels) {
    Map<String, String> named = new TreeMap<>();
    Set<String> keys = new HashSet<>();
    List<String> sorted = new ArrayList<>(labels.keySet());
    sorted.sort(String::compareTo);
    for (String key : sorted) {
      String name = labelName(key.replaceFirst("^(metric|resource)\\.", ""));
      // Two keys may become one name: the second keeps where it came from.
      named.put(keys.add(name) ? name : labelName(key), labels.get(key));
    }
    if (named.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    named.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? '{' : ',')
                .append(name)
                .append("=\"")
                .append(escaped(value, true))
                .append('"'));
    return text.append('}').toString();
  }

  /** {@code io.confluent.kafka.server/sent_bytes} is {@code confluent_kafka_server_sent_bytes}. */
  public static String metricName(String metric) {
    String name = metric.replaceFirst("^io\\.", "").replaceAll("[^a-zA-Z0-9_:]", "_");
    return name.matches("[0-9].*") || name.isEmpty() ? "_" + name : name;
  }

  /** Part of a label key as Prometheus takes it. */
  public static String labelName(String key) {
    String name = key.replaceAll("[^a-zA-Z0-9_]", "_");
    if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
      name = "_" + name;
    }
    return name.toLowerCase(Locale.ROOT).equals("__name__") ? "name" : name;
  }

  private static String escaped(String text, boolean quoted) {
    String escaped = text.replace("\\", "\\\\").replace("\n", "\\n");
    return quoted ? escaped.replace("\"", "\\\"") : escaped;
  }
}

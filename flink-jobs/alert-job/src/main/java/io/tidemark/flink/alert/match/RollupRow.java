package io.tidemark.flink.alert.match;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A line of a rollup topic, read as far as it is wanted: most rows concern no rule, and their
 * labels and figures are never looked at.
 */
public final class RollupRow {

  /** Whether rows of a metric concern a rule at all. */
  @FunctionalInterface
  public interface Wanted {
    boolean isWanted(String organizationId, String environmentId, String metric);
  }

  private static final JsonFactory JSON = new JsonFactory();
  private static final String RESOURCE = "resource.";
  private static final String LABEL = "metric.";
  private static final int GRID = 3;

  private final Map<String, String> texts = new HashMap<>();
  private final TreeMap<String, String> labels = new TreeMap<>();
  private long timestamp;
  private long count;
  private double sum;
  private double min;
  private double max;
  private double last;
  private long lastTimestamp;
  private boolean isAsked;
  private boolean isTimed;

  /**
   * Reads a line into this object.
   *
   * @return whether the row is wanted; what is read of one that is not has no meaning
   * @throws IOException when the line is no row of the contract
   */
  public boolean read(byte[] bundle, int from, int length, Wanted wanted) throws IOException {
    clear();
    return readMembers(bundle, from, length, wanted);
  }

  /**
   * Reads what rows of a series have in common: members of a row without time and figures.
   *
   * @param minute start of the minute that they are read for
   * @return whether rows of it are wanted, as in {@link #read}
   * @throws IOException when it is no description of the contract
   */
  public boolean describe(byte[] description, long minute, Wanted wanted) throws IOException {
    clear();
    timestamp = minute;
    isTimed = true;
    return readMembers(description, 0, description.length, wanted);
  }

  private void clear() {
    texts.clear();
    labels.clear();
    isAsked = false;
    isTimed = false;
    count = 0;
    sum = 0;
    min = Double.NaN;
    max = Double.NaN;
    last = Double.NaN;
    lastTimestamp = 0;
  }

  private boolean readMembers(byte[] bundle, int from, int length, Wanted wanted)
      throws IOException {
    try (JsonParser in = JSON.createParser(bundle, from, length)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("A row is not an object");
      }
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        JsonToken token = in.nextToken();
        if (token == JsonToken.VALUE_STRING) {
          text(name, in.getText());
          if (!isAsked && isNamed()) {
            isAsked = true;
            if (!wanted.isWanted(organizationId(), environmentId(), metric())) {
              return false;
            }
          }
        } else if (token.isNumeric()) {
          number(name, in);
        }
      }
    }
    if (!isAsked || !isTimed) {
      throw new IOException("A row has no metric, or no time");
    }
    return true;
  }

  private boolean isNamed() {
    return texts.containsKey("organization_id")
        && texts.containsKey("environment_id")
        && texts.containsKey("metric");
  }

  private void text(String name, String value) {
    if (name.startsWith(LABEL) || name.startsWith(RESOURCE)) {
      labels.put(name, value);
    } else {
      texts.put(name, value);
    }
  }

  private void number(String name, JsonParser in) throws IOException {
    switch (name) {
      case "timestamp" -> {
        timestamp = in.getLongValue();
        isTimed = true;
      }
      case "count" -> count = in.getLongValue();
      case "sum" -> sum = in.getDoubleValue();
      case "min" -> min = in.getDoubleValue();
      case "max" -> max = in.getDoubleValue();
      case "last" -> last = in.getDoubleValue();
      case "last_timestamp" -> lastTimestamp = in.getLongValue();
      default -> {
        // Not needed.
      }
    }
  }

  public String organizationId() {
    return texts.getOrDefault("organization_id", "");
  }

  public String environmentId() {
    return texts.getOrDefault("environment_id", "");
  }

  public String metric() {
    return texts.getOrDefault("metric", "");
  }

  /** Start of the minute. */
  public long minute() {
    return timestamp;
  }

  /** Labels by name, sorted: {@code metric.…} and {@code resource.…}. */
  public TreeMap<String, String> labels() {
    return labels;
  }

  /** What the row adds to its minute. */
  public MinuteTotals totals() throws IOException {
    MinuteTotals figures = MinuteTotals.of(sum, count, min, max, last, lastTimestamp);
    String distribution = texts.get("distribution");
    return distribution == null ? figures : withDistribution(figures, distribution);
  }

  /**
   * Figures together with the member distribution of a row.
   *
   * @throws IOException when the text is no distribution of the contract
   */
  public static MinuteTotals withDistribution(MinuteTotals figures, String text)
      throws IOException {
    String[] runs = text.split("\\|", -1);
    int size = 0;
    for (int i = 1; i < runs.length; i++) {
      size += (int) runs[i].chars().filter(c -> c == ',').count() + 1;
    }
    int[] buckets = new int[size];
    long[] counts = new long[size];
    int at = 0;
    try {
      if (Integer.parseInt(runs[0]) != GRID) {
        throw new IOException("A distribution has another scale");
      }
      for (int i = 1; i < runs.length; i++) {
        int colon = runs[i].indexOf(':');
        int bucket = Integer.parseInt(runs[i].substring(0, colon));
        for (String one : runs[i].substring(colon + 1).split(",", -1)) {
          buckets[at] = bucket++;
          counts[at++] = Long.parseLong(one);
        }
      }
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw new IOException("A distribution is damaged", e);
    }
    return new MinuteTotals(
        figures.sum(),
        figures.count(),
        figures.min(),
        figures.max(),
        figures.last(),
        figures.lastTime(),
        buckets,
        counts);
  }

  /** The value of a label of a row; null when the row has none. */
  public @Nullable String label(String name) {
    return labels.get(name);
  }
}

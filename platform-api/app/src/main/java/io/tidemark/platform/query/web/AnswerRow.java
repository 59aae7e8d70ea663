package io.tidemark.platform.query.web;

import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.query.domain.Answer;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * One bucket of an answer: the map that the contract says, but written without making one, since an
 * answer may have a hundred thousand. What rows share is made ready once.
 */
@JsonSerialize(using = AnswerRow.Writer.class)
final class AnswerRow extends AbstractMap<String, Object> {

  /** Labels that come with every row of a group; none where the group has them itself. */
  static final class Labels {
    private static final SerializableString[] NO_TEXTS = {};

    static final Labels NONE = new Labels(NO_TEXTS, NO_TEXTS);

    private final SerializableString[] keys;

    /** Null where the series has no such label. */
    private final @Nullable SerializableString[] values;

    private Labels(SerializableString[] keys, @Nullable SerializableString[] values) {
      this.keys = keys;
      this.values = values;
    }

    static SerializableString[] keys(List<LabelKey> keys) {
      SerializableString[] texts = new SerializableString[keys.size()];
      for (int i = 0; i < texts.length; i++) {
        texts[i] = new SerializedString(keys.get(i).value());
      }
      return texts;
    }

    static Labels of(SerializableString[] keys, List<@Nullable String> values) {
      @Nullable SerializableString[] texts = new SerializableString[keys.length];
      for (int i = 0; i < texts.length; i++) {
        texts[i] = values.get(i) == null ? null : new SerializedString(values.get(i));
      }
      return new Labels(keys, texts);
    }
  }

  private static final SerializableString TIMESTAMP = new SerializedString("timestamp");
  private static final SerializableString VALUE = new SerializedString("value");
  private static final SerializableString VALUES = new SerializedString("values");
  private static final SerializableString STATE = new SerializedString("state");
  private static final SerializableString DISTRIBUTION = new SerializedString("distribution");

  private final SerializableString time;
  private final Labels labels;
  private final Answer.Point point;

  AnswerRow(SerializableString time, Labels labels, Answer.Point point) {
    this.time = time;
    this.labels = labels;
    this.point = point;
  }

  private String state() {
    return Objects.requireNonNull(point.state()).name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put(TIMESTAMP.getValue(), time.getValue());
    for (int i = 0; i < labels.keys.length; i++) {
      SerializableString value = labels.values[i];
      all.put(labels.keys[i].getValue(), value == null ? null : value.getValue());
    }
    all.put(VALUE.getValue(), number(point.values().get(0)));
    if (point.values().size() > 1) {
      all.put(VALUES.getValue(), point.values().stream().map(AnswerRow::number).toList());
    }
    if (point.state() != null) {
      all.put(STATE.getValue(), state());
    }
    if (point.distribution() != null) {
      all.put(DISTRIBUTION.getValue(), distribution(point.distribution()));
    }
    return all.entrySet();
  }

  private static List<List<Number>> distribution(Distribution distribution) {
    List<List<Number>> ranges = new ArrayList<>();
    int[] buckets = distribution.buckets();
    long[] counts = distribution.counts();
    for (int i = 0; i < buckets.length; i++) {
      ranges.add(
          List.of(Distribution.lower(buckets[i]), Distribution.upper(buckets[i]), counts[i]));
    }
    return ranges;
  }

  private static @Nullable Double number(Double value) {
    return value.isNaN() ? null : value;
  }

  /** Writes what {@link #entrySet} holds. */
  static final class Writer extends ValueSerializer<AnswerRow> {

    @Override
    public void serialize(AnswerRow row, JsonGenerator out, SerializationContext context) {
      out.writeStartObject();
      out.writeName(TIMESTAMP);
      out.writeString(row.time);
      for (int i = 0; i < row.labels.keys.length; i++) {
        out.writeName(row.labels.keys[i]);
        if (row.labels.values[i] == null) {
          out.writeNull();
        } else {
          out.writeString(row.labels.values[i]);
        }
      }
      List<Double> values = row.point.values();
      out.writeName(VALUE);
      number(out, values.get(0));
      if (values.size() > 1) {
        out.writeName(VALUES);
        out.writeStartArray();
        for (int i = 0; i < values.size(); i++) {
          number(out, values.get(i));
        }
        out.writeEndArray();
      }
      if (row.point.state() != null) {
        out.writeName(STATE);
        out.writeString(row.state());
      }
      if (row.point.distribution() != null) {
        out.writeName(DISTRIBUTION);
        distribution(out, row.point.distribution());
      }
      out.writeEndObject();
    }

    private static void distribution(JsonGenerator out, Distribution distribution) {
      int[] buckets = distribution.buckets();
      long[] counts = distribution.counts();
      out.writeStartArray();
      for (int i = 0; i < buckets.length; i++) {
        out.writeStartArray();
        out.writeNumber(Distribution.lower(buckets[i]));
        out.writeNumber(Distribution.upper(buckets[i]));
        out.writeNumber(counts[i]);
        out.writeEndArray();
      }
      out.writeEndArray();
    }

    private static void number(JsonGenerator out, double value) {
      if (Double.isNaN(value)) {
        out.writeNull();
      } else {
        out.writeNumber(value);
      }
    }
  }
}

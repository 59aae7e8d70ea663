package io.tidemark.flink.io.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What all rows of a series have in common, in the form of the contract
 * events/rollup-row.schema.json: written once, copied into every row. Labels in order of their
 * names.
 */
public final class RowText {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int TYPICAL_SIZE = 512;

  /** Of one character, bytes. */
  private static final int LONGEST_ESCAPE = 6;

  /** What {@link #largest} adds for names of members, and for what surrounds a label. */
  private static final int NAMES_SIZE = 512;

  private static final int LABEL_SIZE = 4;

  /** The series' id as a member, and the braces of the object, are shorter. */
  private static final int SERIES_SIZE = 64;

  private RowText() {}

  /** JSON members without braces: {@code "organization_id":"…",…,"metric.zone":"1"}. */
  public static byte[] of(SeriesKey key, SeriesDescriptor series) {
    byte[] head = head(series);
    byte[] tail = tail(key, series);
    byte[] text = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, text, head.length, tail.length);
    return text;
  }

  /**
   * The same as a JSON object, from parts that are at hand.
   *
   * @param head {@link #head} of the series
   * @param labels of the series as in {@code DescriptorBytes}
   */
  public static byte[] object(SeriesKey key, byte[] head, byte[] labels) {
    byte[] text = new byte[head.length + SERIES_SIZE + LabelText.largest(labels)];
    text[0] = '{';
    System.arraycopy(head, 0, text, 1, head.length);
    int size = RowLines.writeSeries(key, text, head.length + 1);
    size = LabelText.write(labels, text, size);
    text[size++] = '}';
    return Arrays.copyOf(text, size);
  }

  /** The part that all series of a metric and resource have in common. */
  public static byte[] head(SeriesDescriptor series) {
    return members(
        out -> {
          out.writeStringField("organization_id", series.organizationId());
          out.writeStringField("environment_id", series.environmentId());
          out.writeStringField("metric", series.metric());
          out.writeStringField("metric_type", series.kind().wireName());
          out.writeStringField("unit", series.unit());
          out.writeStringField("resource_type", series.resourceType());
          out.writeStringField("resource_id", series.resourceId());
          writeResource(series, out);
        });
  }

  /** What follows the head; begins with a comma. */
  public static byte[] tail(SeriesKey key, SeriesDescriptor series) {
    byte[] members =
        members(
            out -> {
              out.writeStringField("series_id", key.hex());
              for (Map.Entry<String, String> label :
                  new TreeMap<>(series.attributes()).entrySet()) {
                out.writeStringField("metric." + label.getKey(), label.getValue());
              }
            });
    byte[] tail = new byte[members.length + 1];
    tail[0] = ',';
    System.arraycopy(members, 0, tail, 1, members.length);
    return tail;
  }

  /** {@link #of} is no longer than this, bytes. */
  public static int largest(SeriesDescriptor series) {
    int characters =
        series.organizationId().length()
            + series.environmentId().length()
            + series.metric().length()
            + series.unit().length()
            + 2 * (series.resourceType().length() + series.resourceId().length());
    return (characters + characters(series.resource()) + characters(series.attributes()))
            * LONGEST_ESCAPE
        + NAMES_SIZE;
  }

  private static int characters(Map<String, String> labels) {
    int characters = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      characters += label.getKey().length() + label.getValue().length() + LABEL_SIZE;
    }
    return characters;
  }

  private interface Members {
    void writeTo(JsonGenerator out) throws IOException;
  }

  private static byte[] members(Members members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_SIZE);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      members.writeTo(out);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    byte[] object = bytes.toByteArray();
    return Arrays.copyOfRange(object, 1, object.length - 1);
  }

  private static void writeResource(SeriesDescriptor series, JsonGenerator out) throws IOException {
    String idColumn = "resource." + series.resourceType() + ".id";
    out.writeStringField(idColumn, series.resourceId());
    for (Map.Entry<String, String> label : new TreeMap<>(series.resource()).entrySet()) {
      String column = "resource." + label.getKey();
      // The id column is the platform's; an attribute of the same name stays part of the series
      // only.
      boolean isTaken = column.equals(idColumn);
      if (!isTaken && !label.getKey().startsWith(SeriesDescriptor.RESOURCE_PREFIX)) {
        out.writeStringField(column, label.getValue());
      }
    }
  }
}

package io.tidemark.flink.io.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.rollup.Pane;
import io.tidemark.flink.model.rollup.RollupRow;
import io.tidemark.flink.model.series.SeriesDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rollup rows in the form of the contract events/rollup-row.schema.json: one JSON object without
 * line breaks, UTF-8, labels in order of their names.
 */
public final class RowJson {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build();
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final int TYPICAL_SIZE = 768;

  private RowJson() {}

  public static byte[] encode(RollupRow row) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_SIZE);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      write(row, out);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  private static void write(RollupRow row, JsonGenerator out) throws IOException {
    SeriesDescriptor series = row.series();
    out.writeStartObject();
    out.writeNumberField("timestamp", row.minute());
    out.writeStringField("organization_id", series.organizationId());
    out.writeStringField("environment_id", series.environmentId());
    out.writeStringField("metric", series.metric());
    out.writeStringField("metric_type", series.kind().wireName());
    out.writeStringField("unit", series.unit());
    out.writeStringField("resource_type", series.resourceType());
    out.writeStringField("resource_id", series.resourceId());
    out.writeStringField("series_id", row.key().hex());
    writeLabels(series, out);
    writeFigures(row.pane(), out);
    out.writeStringField("pane_id", row.paneId());
    out.writeEndObject();
  }

  private static void writeLabels(SeriesDescriptor series, JsonGenerator out) throws IOException {
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
    for (Map.Entry<String, String> label : new TreeMap<>(series.attributes()).entrySet()) {
      out.writeStringField("metric." + label.getKey(), label.getValue());
    }
  }

  private static void writeFigures(Pane pane, JsonGenerator out) throws IOException {
    writeIfPresent("sum", pane.sum(), out);
    out.writeNumberField("count", pane.count());
    writeIfPresent("min", pane.min(), out);
    writeIfPresent("max", pane.max(), out);
    if (Contribution.isPresent(pane.last())) {
      out.writeNumberField("last", pane.last());
      out.writeNumberField(
          "last_timestamp", Math.floorDiv(pane.lastTimeUnixNano(), NANOS_PER_MILLI));
    }
  }

  private static void writeIfPresent(String field, double figure, JsonGenerator out)
      throws IOException {
    if (Contribution.isPresent(figure)) {
      out.writeNumberField(field, figure);
    }
  }
}

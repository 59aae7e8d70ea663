package io.tidemark.flink.lake.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.flink.lake.parquet.ColumnData;
import io.tidemark.flink.lake.parquet.SortedFileReader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Stored rollup rows as the lines that the rollup topics carry, so that a reader of the topics
 * takes them for the same rows. The opposite of {@link RollupRows}.
 */
public final class StoredRowLines {

  private static final long MICROS_PER_MILLI = 1_000L;
  private static final JsonFactory JSON = new JsonFactory();
  private static final List<String> TEXTS =
      List.of(
          "organization_id",
          "environment_id",
          "metric",
          "metric_type",
          "unit",
          "resource_type",
          "resource_id",
          "series_id");
  private static final List<String> FIGURES = List.of("sum", "min", "max", "last");

  private final Schema schema;

  /**
   * @param schema of a rollup table
   */
  public StoredRowLines(Schema schema) {
    this.schema = schema;
  }

  /**
   * Writes every row of a file, a row a line.
   *
   * @return how many
   */
  public long write(SortedFileReader file, OutputStream out) throws IOException {
    long rows = 0;
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setRootValueSeparator(null);
      for (int group = 0; group < file.rowGroups(); group++) {
        Group columns = new Group(file, group);
        for (int row = 0; row < file.rows(group); row++) {
          columns.line(row, json);
          json.writeRaw('\n');
        }
        rows += file.rows(group);
      }
    }
    return rows;
  }

  /** Tells the ids of all panes of a file; other columns are not decoded. */
  public void panes(SortedFileReader file, Consumer<String> panes) throws IOException {
    for (int group = 0; group < file.rowGroups(); group++) {
      for (byte[] pane : texts(file, group, "pane_id")) {
        if (pane != null) {
          panes.accept(new String(pane, UTF_8));
        }
      }
    }
  }

  private ColumnData columnOf(SortedFileReader file, int group, String name) throws IOException {
    for (int i = 0; i < schema.columns().size(); i++) {
      if (schema.columns().get(i).name().equals(name)) {
        return file.column(group, i);
      }
    }
    throw new IllegalStateException("The table has no column " + name);
  }

  /** One per row; null for absent. */
  private byte[] @Nullable [] texts(SortedFileReader file, int group, String name)
      throws IOException {
    ColumnData data = columnOf(file, group, name);
    if (data instanceof ColumnData.UniqueTexts unique) {
      return unique.values();
    }
    byte[] @Nullable [] values = new byte[file.rows(group)][];
    if (data instanceof ColumnData.Texts repeated) {
      int row = 0;
      for (int run = 0; run < repeated.ids().length; run++) {
        int id = repeated.ids()[run];
        while (row < repeated.runs()[run]) {
          values[row++] = id < 0 ? null : repeated.distinct()[id];
        }
      }
    }
    return values;
  }

  /** The columns of a row group. */
  private final class Group {
    private final Map<String, byte[] @Nullable []> texts = new HashMap<>();
    private final Map<String, ColumnData> figures = new HashMap<>();
    private final ColumnData.Wholes times;
    private final ColumnData.Wholes counts;
    private final ColumnData lastTimes;
    private final byte[] @Nullable [] distributions;
    private final byte[] @Nullable [] panes;
    private final Labels resource;
    private final Labels labels;

    Group(SortedFileReader file, int group) throws IOException {
      for (String name : TEXTS) {
        texts.put(name, texts(file, group, name));
      }
      for (String name : FIGURES) {
        figures.put(name, columnOf(file, group, name));
      }
      times = (ColumnData.Wholes) columnOf(file, group, "event_time");
      counts = (ColumnData.Wholes) columnOf(file, group, "count");
      lastTimes = columnOf(file, group, "last_time");
      distributions = texts(file, group, "distribution");
      panes = texts(file, group, "pane_id");
      resource = new Labels(columnOf(file, group, "resource_attributes"), "resource.");
      labels = new Labels(columnOf(file, group, "point_attributes"), "metric.");
    }

    void line(int row, JsonGenerator json) throws IOException {
      json.writeStartObject();
      json.writeNumberField("timestamp", times.values()[row] / MICROS_PER_MILLI);
      for (String name : TEXTS) {
        json.writeFieldName(name);
        utf8(required(column(name), row, name), json);
      }
      // The topic has it beside resource_id, the table only once.
      json.writeFieldName("resource." + text("resource_type", row) + ".id");
      utf8(required(column("resource_id"), row, "resource_id"), json);
      resource.write(row, json);
      labels.write(row, json);
      json.writeNumberField("count", counts.values()[row]);
      for (String name : FIGURES) {
        if (figures.get(name) instanceof ColumnData.Doubles doubles
            && isPresent(doubles.present(), row)) {
          json.writeNumberField(name, doubles.values()[row]);
        }
      }
      if (lastTimes instanceof ColumnData.Wholes wholes && isPresent(wholes.present(), row)) {
        json.writeNumberField("last_timestamp", wholes.values()[row] / MICROS_PER_MILLI);
      }
      byte[] distribution = distributions[row];
      if (distribution != null) {
        json.writeFieldName("distribution");
        utf8(distribution, json);
      }
      json.writeFieldName("pane_id");
      utf8(required(panes, row, "pane_id"), json);
      json.writeEndObject();
    }

    private byte[] @Nullable [] column(String name) {
      return Objects.requireNonNull(texts.get(name));
    }

    private String text(String name, int row) {
      return new String(required(column(name), row, name), UTF_8);
    }
  }

  private static boolean isPresent(boolean @Nullable [] present, int row) {
    return present == null || present[row];
  }

  private static byte[] required(byte[] @Nullable [] values, int row, String name) {
    byte[] value = values[row];
    if (value == null) {
      throw new IllegalStateException("A stored row has no " + name);
    }
    return value;
  }

  private static void utf8(byte[] text, JsonGenerator json) throws IOException {
    json.writeUTF8String(text, 0, text.length);
  }

  /** Maps of the rows of a row group. */
  private static final class Labels {
    private final ColumnData.Maps maps;
    private final String[] names;
    private final int[] mapOfRow;

    Labels(ColumnData data, String prefix) {
      maps = (ColumnData.Maps) data;
      names = new String[maps.keys().length];
      for (int i = 0; i < names.length; i++) {
        names[i] = prefix + new String(maps.keys()[i], UTF_8);
      }
      int rows = maps.runs().length == 0 ? 0 : maps.runs()[maps.runs().length - 1];
      mapOfRow = new int[rows];
      int row = 0;
      for (int run = 0; run < maps.ids().length && row < rows; run++) {
        while (row < maps.runs()[run]) {
          mapOfRow[row++] = maps.ids()[run];
        }
      }
    }

    void write(int row, JsonGenerator json) throws IOException {
      int map = mapOfRow[row];
      for (int i = 0; i < maps.keyIds()[map].length; i++) {
        json.writeFieldName(names[maps.keyIds()[map][i]]);
        utf8(maps.values()[maps.valueIds()[map][i]], json);
      }
    }
  }
}

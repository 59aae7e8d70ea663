package io.tidemark.flink.lake.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of our writer, read by Parquet's own reader. */
class SortedFileTest {

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "time", Types.TimestampType.withZone()),
          Types.NestedField.required(2, "tenant", Types.StringType.get()),
          Types.NestedField.optional(3, "note", Types.StringType.get()),
          Types.NestedField.required(4, "number", Types.IntegerType.get()),
          Types.NestedField.optional(5, "total", Types.LongType.get()),
          Types.NestedField.optional(6, "value", Types.DoubleType.get()),
          Types.NestedField.required(7, "flag", Types.BooleanType.get()),
          Types.NestedField.required(
              8,
              "labels",
              Types.MapType.ofRequired(9, 10, Types.StringType.get(), Types.StringType.get())),
          Types.NestedField.optional(
              11, "counts", Types.ListType.ofRequired(12, Types.LongType.get())),
          Types.NestedField.optional(
              13, "bounds", Types.ListType.ofRequired(14, Types.DoubleType.get())),
          Types.NestedField.optional(15, "id", Types.StringType.get()));

  @TempDir Path folder;

  @Test
  void everyValueComesBack() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      TestingRows first = new TestingRows(random, 1 + random.nextInt(3_000));
      TestingRows second = new TestingRows(random, 1 + random.nextInt(40));

      Metrics metrics = write(first, second);

      List<Record> read = read();
      assertEquals(first.rows() + second.rows(), read.size());
      first.assertIn(read, 0);
      second.assertIn(read, first.rows());
      assertEquals(read.size(), metrics.recordCount());
    }
  }

  /** What merging relies on. */
  @Test
  void ownReaderGivesTheSameColumns() throws IOException {
    for (int seed = 100; seed < 160; seed++) {
      Random random = new Random(seed);
      TestingRows first = new TestingRows(random, 1 + random.nextInt(2_000));
      TestingRows second = new TestingRows(random, 1 + random.nextInt(40));
      write(first, second);
      SortedFileReader reader =
          new SortedFileReader(SCHEMA, Files.readAllBytes(folder.resolve("rows")));
      assertTrue(reader.isReadable());
      assertEquals(2, reader.rowGroups());

      SortedFile again = new SortedFile(SCHEMA, Files.newOutputStream(folder.resolve("again")), 3);
      for (int group = 0; group < reader.rowGroups(); group++) {
        again.write(copyOf(reader, group));
      }
      again.finish();
      Files.move(
          folder.resolve("again"), folder.resolve("rows"), StandardCopyOption.REPLACE_EXISTING);

      List<Record> read = read();
      assertEquals(first.rows() + second.rows(), read.size());
      first.assertIn(read, 0);
      second.assertIn(read, first.rows());
    }
  }

  @Test
  void filesOfOthersAreLeftAlone() throws IOException {
    write(new TestingRows(new Random(3), 10));
    Schema changed = new Schema(SCHEMA.columns().subList(0, SCHEMA.columns().size() - 1));

    assertFalse(
        new SortedFileReader(changed, Files.readAllBytes(folder.resolve("rows"))).isReadable());
  }

  private static RowGroupSource copyOf(SortedFileReader reader, int group) {
    return new RowGroupSource() {
      @Override
      public int rows() {
        return reader.rows(group);
      }

      @Override
      public int[] stretches() {
        return TestingRows.stretches(rows());
      }

      @Override
      public ColumnData column(int i) {
        try {
          return reader.column(group, i);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  @Test
  void boundsAndCountsAreThoseOfTheRows() throws IOException {
    TestingRows rows = new TestingRows(new Random(7), 500);

    Metrics metrics = write(rows);

    TreeSet<Long> times = new TreeSet<>();
    TreeSet<String> tenants = new TreeSet<>();
    int nulls = 0;
    for (int i = 0; i < rows.rows(); i++) {
      times.add(rows.times[i]);
      tenants.add(rows.tenants[i]);
      nulls += rows.totals[i] == null ? 1 : 0;
    }
    assertEquals(times.first(), bound(metrics.lowerBounds(), 1));
    assertEquals(times.last(), bound(metrics.upperBounds(), 1));
    assertEquals(tenants.first(), bound(metrics.lowerBounds(), 2).toString());
    assertEquals(tenants.last(), bound(metrics.upperBounds(), 2).toString());
    assertEquals(nulls, metrics.nullValueCounts().get(5));
    assertEquals(500, metrics.valueCounts().get(5));
    assertTrue(metrics.columnSizes().get(9) > 0);
  }

  /** Row groups are skipped by the statistics in the footer: they must not hide rows. */
  @Test
  void statisticsFindTheRow() throws IOException {
    TestingRows first = new TestingRows(new Random(1), 300);
    TestingRows second = new TestingRows(new Random(2), 300);
    write(first, second);
    for (int i = 0; i < 300; i += 37) {
      long time = second.times[i];
      List<Record> found = new ArrayList<>();
      try (CloseableIterable<Record> rows =
          Parquet.read(org.apache.iceberg.Files.localInput(folder.resolve("rows").toFile()))
              .project(SCHEMA)
              .filter(Expressions.equal("time", time))
              .createReaderFunc(file -> GenericParquetReaders.buildReader(SCHEMA, file))
              .build()) {
        rows.forEach(found::add);
      }
      assertTrue(found.stream().anyMatch(row -> micros(row) == time), () -> "no row at " + time);
    }
  }

  private Metrics write(TestingRows... groups) throws IOException {
    SortedFile file = new SortedFile(SCHEMA, Files.newOutputStream(folder.resolve("rows")), 3);
    for (TestingRows group : groups) {
      file.write(group);
    }
    Metrics metrics = file.finish();
    assertEquals(Files.size(folder.resolve("rows")), file.length());
    return metrics;
  }

  private List<Record> read() throws IOException {
    List<Record> read = new ArrayList<>();
    try (CloseableIterable<Record> rows =
        Parquet.read(org.apache.iceberg.Files.localInput(folder.resolve("rows").toFile()))
            .project(SCHEMA)
            .createReaderFunc(file -> GenericParquetReaders.buildReader(SCHEMA, file))
            .build()) {
      rows.forEach(read::add);
    }
    return read;
  }

  private static Object bound(Map<Integer, ByteBuffer> bounds, int field) {
    return Conversions.fromByteBuffer(SCHEMA.findType(field), bounds.get(field));
  }

  private static long micros(Record row) {
    return java.time.temporal.ChronoUnit.MICROS.between(
        java.time.OffsetDateTime.parse("1970-01-01T00:00:00Z"),
        (java.time.OffsetDateTime) row.getField("time"));
  }

  /** Rows of every form: runs and none, present and absent, lists and maps empty and long. */
  private static final class TestingRows implements RowGroupSource {
    final long[] times;
    final String[] tenants;
    final @Nullable String[] notes;
    final long[] numbers;
    final @Nullable Long[] totals;
    final @Nullable Double[] values;
    final boolean[] flags;
    final List<Map<String, String>> labels = new ArrayList<>();
    final long @Nullable [][] counts;
    final double @Nullable [][] bounds;
    final @Nullable String[] ids;

    TestingRows(Random random, int rows) {
      times = new long[rows];
      tenants = new String[rows];
      notes = new String[rows];
      numbers = new long[rows];
      totals = new Long[rows];
      values = new Double[rows];
      flags = new boolean[rows];
      counts = new long[rows][];
      bounds = new double[rows][];
      ids = new String[rows];
      int step = 1 + random.nextInt(20);
      boolean isSteady = random.nextBoolean();
      int distinct = 1 + random.nextInt(300);
      int presence = random.nextInt(4);
      for (int i = 0; i < rows; i++) {
        times[i] = isSteady ? 1_700_000_000_000_000L + i * 10_000_000L : random.nextLong() >> 14;
        tenants[i] = "org-" + i / step % distinct;
        notes[i] = presence == 0 || i / step % 3 == 0 ? null : "note " + i / step % 5;
        numbers[i] = isSteady ? i : random.nextInt();
        totals[i] = presence == 1 || random.nextInt(4) == 0 ? null : random.nextLong();
        values[i] =
            presence == 2 && i % 2 == 0
                ? null
                : isSteady && i < rows / 2 ? random.nextInt(distinct) / 8.0 : random.nextDouble();
        flags[i] = random.nextBoolean();
        Map<String, String> map = new TreeMap<>();
        for (int entry = 0; entry < i / step % 5; entry++) {
          map.put("key-" + entry, "value-" + (i / step + entry) % distinct);
        }
        labels.add(map);
        counts[i] = random.nextInt(3) == 0 ? null : random.longs(random.nextInt(4)).toArray();
        bounds[i] =
            presence == 3
                ? null
                : random.doubles(random.nextInt(random.nextBoolean() ? 1 : 20)).toArray();
        ids[i] = random.nextInt(10) == 0 ? null : "id-" + random.nextLong();
      }
    }

    @Override
    public int rows() {
      return times.length;
    }

    @Override
    public int[] stretches() {
      return stretches(rows());
    }

    /** Where the form of values changes: each is a page of its own. */
    static int[] stretches(int rows) {
      return rows < 3 ? new int[] {rows} : new int[] {rows / 3, rows / 2 + 1, rows};
    }

    @Override
    public ColumnData column(int i) {
      return switch (SCHEMA.columns().get(i).name()) {
        case "time" -> new ColumnData.Wholes(times, null);
        case "tenant" -> texts(tenants);
        case "note" -> texts(notes);
        case "number" -> new ColumnData.Wholes(numbers, null);
        case "total" -> wholes();
        case "value" -> doubles();
        case "flag" -> new ColumnData.Booleans(flags);
        case "labels" -> maps();
        case "counts" -> new ColumnData.WholeLists(counts);
        case "bounds" -> new ColumnData.DoubleLists(bounds);
        default -> {
          byte[][] utf8 = new byte[ids.length][];
          for (int row = 0; row < ids.length; row++) {
            utf8[row] = ids[row] == null ? null : ids[row].getBytes(UTF_8);
          }
          yield new ColumnData.UniqueTexts(utf8);
        }
      };
    }

    void assertIn(List<Record> read, int from) {
      for (int i = 0; i < rows(); i++) {
        Record row = read.get(from + i);
        assertEquals(times[i], micros(row));
        assertEquals(tenants[i], row.getField("tenant"));
        assertEquals(notes[i], row.getField("note"));
        assertEquals((int) numbers[i], row.getField("number"));
        assertEquals(totals[i], row.getField("total"));
        assertEquals(values[i], row.getField("value"));
        assertEquals(flags[i], row.getField("flag"));
        assertEquals(labels.get(i), row.getField("labels"));
        assertEquals(
            counts[i] == null ? null : java.util.Arrays.stream(counts[i]).boxed().toList(),
            row.getField("counts"));
        assertEquals(
            bounds[i] == null ? null : java.util.Arrays.stream(bounds[i]).boxed().toList(),
            row.getField("bounds"));
        assertEquals(ids[i], row.getField("id"));
      }
    }

    private static ColumnData texts(@Nullable String[] texts) {
      List<String> distinct = new ArrayList<>();
      int[] ids = new int[texts.length];
      int[] ends = new int[texts.length];
      for (int i = 0; i < texts.length; i++) {
        if (texts[i] != null && !distinct.contains(texts[i])) {
          distinct.add(texts[i]);
        }
        ids[i] = texts[i] == null ? -1 : distinct.indexOf(texts[i]);
        ends[i] = i + 1;
      }
      return distinct.isEmpty()
          ? new ColumnData.Absent()
          : new ColumnData.Texts(
              distinct.stream().map(text -> text.getBytes(UTF_8)).toArray(byte[][]::new),
              ids,
              ends);
    }

    private ColumnData wholes() {
      long[] dense = new long[totals.length];
      boolean[] present = new boolean[totals.length];
      boolean found = false;
      for (int i = 0; i < totals.length; i++) {
        present[i] = totals[i] != null;
        dense[i] = present[i] ? totals[i] : 0;
        found |= present[i];
      }
      return found ? new ColumnData.Wholes(dense, present) : new ColumnData.Absent();
    }

    private ColumnData doubles() {
      double[] dense = new double[values.length];
      boolean[] present = new boolean[values.length];
      for (int i = 0; i < values.length; i++) {
        present[i] = values[i] != null;
        dense[i] = present[i] ? values[i] : 0;
      }
      return new ColumnData.Doubles(dense, present);
    }

    private ColumnData maps() {
      List<Map<String, String>> distinct = labels.stream().distinct().toList();
      List<String> keys =
          distinct.stream().flatMap(map -> map.keySet().stream()).distinct().toList();
      List<String> texts =
          distinct.stream().flatMap(map -> map.values().stream()).distinct().toList();
      int[] ids = new int[labels.size()];
      int[] ends = new int[labels.size()];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = distinct.indexOf(labels.get(i));
        ends[i] = i + 1;
      }
      return new ColumnData.Maps(
          ids,
          ends,
          distinct.stream()
              .map(map -> map.keySet().stream().mapToInt(keys::indexOf).toArray())
              .toArray(int[][]::new),
          distinct.stream()
              .map(map -> map.values().stream().mapToInt(texts::indexOf).toArray())
              .toArray(int[][]::new),
          keys.stream().map(key -> key.getBytes(UTF_8)).toArray(byte[][]::new),
          texts.stream().map(text -> text.getBytes(UTF_8)).toArray(byte[][]::new));
    }
  }
}

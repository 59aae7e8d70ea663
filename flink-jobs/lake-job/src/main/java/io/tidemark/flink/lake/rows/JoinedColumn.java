package io.tidemark.flink.lake.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.lake.parquet.ColumnData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

/** A column of several row groups, one after the other, to be taken in any order of rows. */
abstract class JoinedColumn {

  /** Adds the values of the next row group. */
  abstract void add(ColumnData data, int rows);

  abstract ColumnData inOrder(int[] rows, int from, int to);

  static JoinedColumn of(Type type) {
    return switch (type.typeId()) {
      case DOUBLE -> new OfDoubles();
      case BOOLEAN -> new OfBooleans();
      case STRING -> new OfObjects(JoinedColumn::texts);
      case LIST ->
          type.asListType().elementType().typeId() == Type.TypeID.DOUBLE
              ? new OfObjects(JoinedColumn::doubleLists)
              : new OfObjects(JoinedColumn::wholeLists);
      // Maps are of series only.
      case MAP -> new OfObjects(values -> new ColumnData.Absent());
      default -> new OfWholes();
    };
  }

  private static ColumnData texts(@Nullable Object[] values) {
    byte[][] texts = Arrays.copyOf(values, values.length, byte[][].class);
    // By identity: texts of a dictionary are shared, texts without one are not.
    java.util.Set<Object> distinct =
        java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());
    distinct.addAll(Arrays.asList(values));
    if (distinct.size() > values.length / 2) {
      return new ColumnData.UniqueTexts(texts);
    }
    TextRuns runs = new TextRuns();
    byte[] last = null;
    String text = null;
    for (int i = 0; i < texts.length; i++) {
      if (texts[i] != last || i == 0) {
        last = texts[i];
        text = last == null ? null : new String(last, UTF_8);
      }
      runs.add(text, i + 1);
    }
    return runs.take();
  }

  private static ColumnData wholeLists(@Nullable Object[] values) {
    return new ColumnData.WholeLists(Arrays.copyOf(values, values.length, long[][].class));
  }

  private static ColumnData doubleLists(@Nullable Object[] values) {
    return new ColumnData.DoubleLists(Arrays.copyOf(values, values.length, double[][].class));
  }

  private static final class OfWholes extends JoinedColumn {
    private long[] values = new long[0];
    private boolean[] present = new boolean[0];
    private int count;

    @Override
    void add(ColumnData data, int rows) {
      values = Arrays.copyOf(values, count + rows);
      present = Arrays.copyOf(present, count + rows);
      if (data instanceof ColumnData.Wholes wholes) {
        System.arraycopy(wholes.values(), 0, values, count, rows);
        boolean[] given = wholes.present();
        if (given == null) {
          Arrays.fill(present, count, count + rows, true);
        } else {
          System.arraycopy(given, 0, present, count, rows);
        }
      }
      count += rows;
    }

    @Override
    ColumnData inOrder(int[] rows, int from, int to) {
      long[] ordered = new long[to - from];
      boolean[] orderedPresent = new boolean[to - from];
      int found = 0;
      for (int i = from; i < to; i++) {
        ordered[i - from] = values[rows[i]];
        orderedPresent[i - from] = present[rows[i]];
        found += present[rows[i]] ? 1 : 0;
      }
      if (found == 0) {
        return new ColumnData.Absent();
      }
      return new ColumnData.Wholes(ordered, found == to - from ? null : orderedPresent);
    }
  }

  private static final class OfDoubles extends JoinedColumn {
    private double[] values = new double[0];
    private boolean[] present = new boolean[0];
    private int count;

    @Override
    void add(ColumnData data, int rows) {
      values = Arrays.copyOf(values, count + rows);
      present = Arrays.copyOf(present, count + rows);
      if (data instanceof ColumnData.Doubles doubles) {
        System.arraycopy(doubles.values(), 0, values, count, rows);
        boolean[] given = doubles.present();
        if (given == null) {
          Arrays.fill(present, count, count + rows, true);
        } else {
          System.arraycopy(given, 0, present, count, rows);
        }
      }
      count += rows;
    }

    @Override
    ColumnData inOrder(int[] rows, int from, int to) {
      double[] ordered = new double[to - from];
      boolean[] orderedPresent = new boolean[to - from];
      int found = 0;
      for (int i = from; i < to; i++) {
        ordered[i - from] = values[rows[i]];
        orderedPresent[i - from] = present[rows[i]];
        found += present[rows[i]] ? 1 : 0;
      }
      if (found == 0) {
        return new ColumnData.Absent();
      }
      return new ColumnData.Doubles(ordered, found == to - from ? null : orderedPresent);
    }
  }

  private static final class OfBooleans extends JoinedColumn {
    private boolean[] values = new boolean[0];
    private int count;

    @Override
    void add(ColumnData data, int rows) {
      values = Arrays.copyOf(values, count + rows);
      System.arraycopy(((ColumnData.Booleans) data).values(), 0, values, count, rows);
      count += rows;
    }

    @Override
    ColumnData inOrder(int[] rows, int from, int to) {
      boolean[] ordered = new boolean[to - from];
      for (int i = from; i < to; i++) {
        ordered[i - from] = values[rows[i]];
      }
      return new ColumnData.Booleans(ordered);
    }
  }

  /** Texts and lists. */
  private static final class OfObjects extends JoinedColumn {
    private final List<@Nullable Object> values = new ArrayList<>();
    private final java.util.function.Function<@Nullable Object[], ColumnData> form;

    OfObjects(java.util.function.Function<@Nullable Object[], ColumnData> form) {
      this.form = form;
    }

    @Override
    void add(ColumnData data, int rows) {
      if (data instanceof ColumnData.Texts texts) {
        int from = 0;
        for (int run = 0; run < texts.ids().length; run++) {
          byte[] text = texts.ids()[run] < 0 ? null : texts.distinct()[texts.ids()[run]];
          for (; from < texts.runs()[run]; from++) {
            values.add(text);
          }
        }
      } else if (data instanceof ColumnData.UniqueTexts texts) {
        values.addAll(Arrays.asList((Object[]) texts.values()));
      } else if (data instanceof ColumnData.WholeLists lists) {
        values.addAll(Arrays.asList((Object[]) lists.values()));
      } else if (data instanceof ColumnData.DoubleLists lists) {
        values.addAll(Arrays.asList((Object[]) lists.values()));
      } else {
        for (int i = 0; i < rows; i++) {
          values.add(null);
        }
      }
    }

    @Override
    ColumnData inOrder(int[] rows, int from, int to) {
      Object[] ordered = new Object[to - from];
      boolean found = false;
      for (int i = from; i < to; i++) {
        ordered[i - from] = values.get(rows[i]);
        found |= ordered[i - from] != null;
      }
      return found ? form.apply(ordered) : new ColumnData.Absent();
    }
  }
}

package io.tidemark.flink.lake.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.UnicodeUtil;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;

/** A Parquet file of one partition. Every row group is sorted. */
public final class SortedFile {

  private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
  private static final int TRUNCATED_BOUND = 16;
  static final String CREATED_BY = "tidemark lake-job version 1";

  private final Schema schema;
  private final List<Leaf> leaves;
  private final PageOutput pages;
  private final ChunkWriter writer;
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private long rows;

  /**
   * @param level of zstd
   */
  public SortedFile(Schema schema, OutputStream out, int level) {
    this.schema = schema;
    this.leaves = Leaf.of(schema);
    this.pages = new PageOutput(out, leaves, level);
    this.writer = new ChunkWriter(pages);
    pages.put(MAGIC, MAGIC.length);
  }

  public long rows() {
    return rows;
  }

  public int rowGroups() {
    return rowGroups.size();
  }

  /** Bytes written so far. */
  public long length() {
    return pages.position();
  }

  /** Where each row group begins. */
  public List<Long> splitOffsets() {
    return rowGroups.stream().map(RowGroup::getFile_offset).toList();
  }

  public void write(RowGroupSource source) {
    long begin = pages.position();
    int[] stretches = source.stretches();
    int leaf = 0;
    for (int i = 0; i < schema.columns().size(); i++) {
      Types.NestedField column = schema.columns().get(i);
      boolean isInt = column.type().typeId() == Type.TypeID.INTEGER;
      writer.write(source.column(i), leaf, stretches, column.isRequired(), isInt);
      leaf += column.type().isMapType() ? 2 : 1;
    }
    var chunks = pages.takeChunks();
    long uncompressed = 0;
    for (var chunk : chunks) {
      uncompressed += Objects.requireNonNull(chunk.getMeta_data()).getTotal_uncompressed_size();
    }
    rowGroups.add(
        new RowGroup(chunks, uncompressed, source.rows())
            .setFile_offset(begin)
            .setTotal_compressed_size(pages.position() - begin)
            .setOrdinal((short) rowGroups.size()));
    rows += source.rows();
  }

  /** Writes the footer and closes; returns what Iceberg keeps about the file. */
  public Metrics finish() {
    FileMetaData meta =
        new FileMetaData(1, FileSchema.of(schema), rows, rowGroups)
            .setCreated_by(CREATED_BY)
            .setKey_value_metadata(
                List.of(new KeyValue("iceberg.schema").setValue(SchemaParser.toJson(schema))));
    List<ColumnOrder> orders = new ArrayList<>();
    for (int i = 0; i < leaves.size(); i++) {
      orders.add(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()));
    }
    meta.setColumn_orders(orders);
    ByteSink footer = new ByteSink();
    try {
      Util.writeFileMetaData(meta, footer);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    footer.putInt(footer.size());
    footer.put(MAGIC);
    pages.put(footer.array(), footer.size());
    pages.close();
    return metrics();
  }

  /** Closes without a footer: the file is of no use. */
  public void abandon() {
    pages.close();
  }

  private Metrics metrics() {
    Map<Integer, Long> sizes = new HashMap<>();
    Map<Integer, Long> values = new HashMap<>();
    Map<Integer, Long> nulls = new HashMap<>();
    Map<Integer, Long> nans = new HashMap<>();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    for (int i = 0; i < leaves.size(); i++) {
      Leaf leaf = leaves.get(i);
      Bounds bounds = pages.totals()[i];
      sizes.put(leaf.fieldId(), bounds.compressedSize);
      if (leaf.isNested()) {
        continue;
      }
      values.put(leaf.fieldId(), bounds.values);
      nulls.put(leaf.fieldId(), bounds.nulls);
      if (leaf.type().typeId() == Type.TypeID.DOUBLE) {
        nans.put(leaf.fieldId(), bounds.nans);
      }
      byte[] least = bounds.least;
      byte[] max = bounds.max;
      if (least != null && max != null) {
        if (leaf.type().typeId() == Type.TypeID.STRING) {
          lower.put(leaf.fieldId(), utf8(UnicodeUtil.truncateString(text(least), TRUNCATED_BOUND)));
          CharSequence above = UnicodeUtil.truncateStringMax(text(max), TRUNCATED_BOUND);
          if (above != null) {
            upper.put(leaf.fieldId(), utf8(above));
          }
        } else {
          lower.put(leaf.fieldId(), ByteBuffer.wrap(least));
          upper.put(leaf.fieldId(), ByteBuffer.wrap(max));
        }
      }
    }
    return new Metrics(rows, sizes, values, nulls, nans, lower, upper);
  }

  private static String text(byte[] utf8) {
    return new String(utf8, UTF_8);
  }

  private static ByteBuffer utf8(CharSequence text) {
    return ByteBuffer.wrap(text.toString().getBytes(UTF_8));
  }
}

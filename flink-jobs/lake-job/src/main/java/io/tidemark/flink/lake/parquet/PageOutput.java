package io.tidemark.flink.lake.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/** Compresses pages, writes them one after the other, and remembers where they are. */
final class PageOutput implements AutoCloseable {

  /** Statistics above this size help nobody, bytes. */
  private static final int LONGEST_BOUND = 256;

  private final OutputStream out;
  private final List<Leaf> leaves;
  private final ZstdCompressCtx zstd;
  private final ByteSink header = new ByteSink();
  private byte[] compressed = new byte[64 * 1024];
  private long position;
  private List<ColumnChunk> chunks = new ArrayList<>();
  private final Bounds[] totals;

  PageOutput(OutputStream out, List<Leaf> leaves, int level) {
    this.out = out;
    this.leaves = leaves;
    this.zstd = new ZstdCompressCtx().setLevel(level).setContentSize(true);
    this.totals = new Bounds[leaves.size()];
    for (int i = 0; i < totals.length; i++) {
      totals[i] = new Bounds();
    }
  }

  boolean isNested(int leaf) {
    return leaves.get(leaf).isNested();
  }

  long position() {
    return position;
  }

  Bounds[] totals() {
    return totals;
  }

  void put(byte[] bytes, int length) {
    try {
      out.write(bytes, 0, length);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing a lake file failed: check the disk's space", e);
    }
    position += length;
  }

  /**
   * A page that is not written yet.
   *
   * @param values levels of the leaf: rows, or more if it repeats
   * @param length before compression
   */
  record DataPage(int values, Encoding encoding, int length, byte[] compressed) {
    int size() {
      return compressed.length;
    }
  }

  DataPage compressed(int values, Encoding encoding, ByteSink body) {
    int size = compress(body);
    return new DataPage(values, encoding, body.size(), Arrays.copyOf(compressed, size));
  }

  /**
   * A chunk of one data page.
   *
   * @param values levels of the leaf: rows, or more if it repeats
   * @param dictionary null when the body needs none
   */
  void chunk(
      int leaf,
      int values,
      Encoding encoding,
      ByteSink body,
      @Nullable ByteSink dictionary,
      int distinct,
      Bounds bounds) {
    chunk(leaf, List.of(compressed(values, encoding, body)), dictionary, distinct, bounds);
  }

  /**
   * @param dictionary null when no page needs one
   */
  void chunk(
      int leaf,
      List<DataPage> dataPages,
      @Nullable ByteSink dictionary,
      int distinct,
      Bounds bounds) {
    long begin = position;
    long uncompressed = 0;
    ColumnMetaData meta = new ColumnMetaData();
    EnumSet<Encoding> encodings = EnumSet.of(Encoding.RLE);
    if (dictionary != null) {
      PageHeader page =
          new PageHeader(PageType.DICTIONARY_PAGE, dictionary.size(), compress(dictionary))
              .setDictionary_page_header(new DictionaryPageHeader(distinct, Encoding.PLAIN));
      uncompressed += page(page, compressed);
      meta.setDictionary_page_offset(begin);
      encodings.add(Encoding.PLAIN);
    }
    long data = position;
    long values = 0;
    for (DataPage dataPage : dataPages) {
      PageHeader page =
          new PageHeader(PageType.DATA_PAGE, dataPage.length(), dataPage.size())
              .setData_page_header(
                  new DataPageHeader(
                      dataPage.values(), dataPage.encoding(), Encoding.RLE, Encoding.RLE));
      uncompressed += page(page, dataPage.compressed());
      values += dataPage.values();
      encodings.add(dataPage.encoding());
    }
    Leaf described = leaves.get(leaf);
    bounds.compressedSize = position - begin;
    totals[leaf].add(bounds, described.boundsKind());
    meta.setType(FileSchema.physical(described.type()))
        .setEncodings(List.copyOf(encodings))
        .setPath_in_schema(described.path())
        .setCodec(CompressionCodec.ZSTD)
        .setNum_values(values)
        .setTotal_uncompressed_size(uncompressed)
        .setTotal_compressed_size(position - begin)
        .setData_page_offset(data)
        .setStatistics(statistics(bounds));
    chunks.add(new ColumnChunk(begin).setMeta_data(meta));
  }

  private static Statistics statistics(Bounds bounds) {
    Statistics statistics = new Statistics().setNull_count(bounds.nulls);
    byte[] least = bounds.least;
    byte[] max = bounds.max;
    if (least != null && least.length <= LONGEST_BOUND) {
      statistics.setMin_value(ByteBuffer.wrap(least));
    }
    if (max != null && max.length <= LONGEST_BOUND) {
      statistics.setMax_value(ByteBuffer.wrap(max));
    }
    return statistics;
  }

  /** The chunks since the last call. */
  List<ColumnChunk> takeChunks() {
    List<ColumnChunk> taken = chunks;
    chunks = new ArrayList<>();
    return taken;
  }

  /** Returns the size; the bytes are in {@link #compressed}. */
  private int compress(ByteSink content) {
    int most = (int) Zstd.compressBound(content.size());
    if (compressed.length < most) {
      compressed = new byte[most];
    }
    return zstd.compressByteArray(
        compressed, 0, compressed.length, content.array(), 0, content.size());
  }

  /** Returns the size before compression, with the header. */
  private long page(PageHeader page, byte[] content) {
    header.clear();
    try {
      Util.writePageHeader(page, header);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    put(header.array(), header.size());
    put(content, page.getCompressed_page_size());
    return (long) header.size() + page.getUncompressed_page_size();
  }

  @Override
  public void close() {
    zstd.close();
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Closing a lake file failed: check the disk's space", e);
    }
  }
}

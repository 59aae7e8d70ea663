package io.tidemark.flink.lake.parquet;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
    long begin = position;
    long uncompressed = 0;
    ColumnMetaData meta = new ColumnMetaData();
    if (dictionary != null) {
      PageHeader page =
          new PageHeader(PageType.DICTIONARY_PAGE, dictionary.size(), 0)
              .setDictionary_page_header(new DictionaryPageHeader(distinct, Encoding.PLAIN));
      uncompressed += page(page, dictionary);
      meta.setDictionary_page_offset(begin);
    }
    long data = position;
    PageHeader page =
        new PageHeader(PageType.DATA_PAGE, body.size(), 0)
            .setData_page_header(new DataPageHeader(values, encoding, Encoding.RLE, Encoding.RLE));
    uncompressed += page(page, body);
    Leaf described = leaves.get(leaf);
    bounds.compressedSize = position - begin;
    totals[leaf].add(bounds, described.boundsKind());
    meta.setType(FileSchema.physical(described.type()))
        .setEncodings(ChunkWriter.encodings(encoding))
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
    byte[] greatest = bounds.greatest;
    if (least != null && least.length <= LONGEST_BOUND) {
      statistics.setMin_value(ByteBuffer.wrap(least));
    }
    if (greatest != null && greatest.length <= LONGEST_BOUND) {
      statistics.setMax_value(ByteBuffer.wrap(greatest));
    }
    return statistics;
  }

  /** The chunks since the last call. */
  List<ColumnChunk> takeChunks() {
    List<ColumnChunk> taken = chunks;
    chunks = new ArrayList<>();
    return taken;
  }

  /** Returns the size before compression, with the header. */
  private long page(PageHeader page, ByteSink content) {
    int most = (int) com.github.luben.zstd.Zstd.compressBound(content.size());
    if (compressed.length < most) {
      compressed = new byte[most];
    }
    int size =
        zstd.compressByteArray(
            compressed, 0, compressed.length, content.array(), 0, content.size());
    page.setCompressed_page_size(size);
    header.clear();
    try {
      Util.writePageHeader(page, header);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    put(header.array(), header.size());
    put(compressed, size);
    return (long) header.size() + content.size();
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

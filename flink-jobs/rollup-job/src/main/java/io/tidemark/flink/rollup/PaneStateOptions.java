package io.tidemark.flink.rollup;

import java.util.Collection;
import java.util.List;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.TableFormatConfig;

/**
 * RocksDB for state that is written all the time and, but for first receipts, read at a restore
 * only. A checkpoint writes the current buffer to disk while no record is taken, so buffers are
 * small. Small files are merged seldom: merging writes everything that stays anew, series above
 * all, and the next checkpoint has to copy it.
 */
public final class PaneStateOptions implements RocksDBOptionsFactory {
  private static final long serialVersionUID = 1L;

  private static final long WRITE_BUFFER_BYTES = 8 << 20;
  private static final int WRITE_BUFFERS = 6;
  private static final long BLOCK_BYTES = 32 << 10;

  /** Figures hardly compress. What stays, series above all, gets to the lower levels. */
  private static final List<CompressionType> COMPRESSION =
      List.of(
          CompressionType.NO_COMPRESSION,
          CompressionType.NO_COMPRESSION,
          CompressionType.LZ4_COMPRESSION);

  /** Of a key; one look in a hundred is then in vain. */
  private static final double FILTER_BITS = 10;

  private static final int FILES_TO_MERGE = 40;
  private static final int FILES_THAT_SLOW_DOWN = 64;
  private static final int FILES_THAT_STOP = 96;

  @Override
  public DBOptions createDBOptions(DBOptions current, Collection<AutoCloseable> toClose) {
    return current;
  }

  @Override
  public ColumnFamilyOptions createColumnOptions(
      ColumnFamilyOptions current, Collection<AutoCloseable> toClose) {
    return current
        .setWriteBufferSize(WRITE_BUFFER_BYTES)
        .setMaxWriteBufferNumber(WRITE_BUFFERS)
        .setLevel0FileNumCompactionTrigger(FILES_TO_MERGE)
        .setLevel0SlowdownWritesTrigger(FILES_THAT_SLOW_DOWN)
        .setLevel0StopWritesTrigger(FILES_THAT_STOP)
        .setCompressionPerLevel(COMPRESSION)
        .setTableFormatConfig(tables(current.tableFormatConfig(), toClose));
  }

  private static TableFormatConfig tables(
      TableFormatConfig current, Collection<AutoCloseable> toClose) {
    if (!(current instanceof BlockBasedTableConfig blocks)) {
      return current;
    }
    // Of every batch it is asked whether it came before, and mostly it did not.
    BloomFilter filter = new BloomFilter(FILTER_BITS);
    toClose.add(filter);
    return blocks.setBlockSize(BLOCK_BYTES).setFilterPolicy(filter);
  }
}

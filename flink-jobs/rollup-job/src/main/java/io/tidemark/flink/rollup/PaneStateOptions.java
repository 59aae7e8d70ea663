package io.tidemark.flink.rollup;

import java.util.Collection;
import java.util.List;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.TableFormatConfig;

/**
 * RocksDB for state that is written all the time and read at a restore only. A checkpoint writes
 * the current buffer to disk while no record is taken, so buffers are small; small files are merged
 * less often, so that merging costs no more than with large ones.
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

  private static final int FILES_TO_MERGE = 16;
  private static final int FILES_THAT_SLOW_DOWN = 32;
  private static final int FILES_THAT_STOP = 48;

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
        .setTableFormatConfig(tables(current.tableFormatConfig()));
  }

  private static TableFormatConfig tables(TableFormatConfig current) {
    return current instanceof BlockBasedTableConfig blocks
        ? blocks.setBlockSize(BLOCK_BYTES)
        : current;
  }
}

package io.tidemark.flink.lake.operator;

import io.tidemark.flink.lake.rows.RowBuffer;
import java.io.Serializable;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.AbstractID;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows between two checkpoint barriers to files, and sends ahead of the second barrier
 * the finished files, as JSON, and after them how far it took the topic. It has no state: after a
 * failure the source reads again, and files that nobody committed are orphans.
 */
public final class DataFileWriter<T> extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<T, String>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  private static final int ZSTD_LEVEL = 3;

  /** How rows of a table are collected. */
  public interface Buffers<T> extends Serializable {
    RowBuffer<T> of(Table table);
  }

  private final LakeTable lakeTable;
  private final Buffers<T> buffers;

  private transient LakeTable.@Nullable Opened opened;
  private transient RowBuffer<T> buffer;
  private transient @Nullable PartitionFiles files;
  private transient Counter rows;
  private transient Counter skipped;
  private transient Counter written;
  private transient Counter bytes;

  public DataFileWriter(LakeTable lakeTable, Buffers<T> buffers) {
    this.lakeTable = lakeTable;
    this.buffers = buffers;
  }

  @Override
  public void open() throws Exception {
    super.open();
    ProcessWideResources.releaseWith(getRuntimeContext());
    LakeTable.Opened source = lakeTable.open();
    opened = source;
    Table table = source.table();
    buffer = buffers.of(table);
    files = new PartitionFiles(table, new AbstractID().toHexString(), ZSTD_LEVEL);
    rows = LakeMetrics.counter(getMetricGroup(), LakeMetrics.ROWS_WRITTEN);
    skipped = LakeMetrics.counter(getMetricGroup(), LakeMetrics.ROWS_SKIPPED);
    written = LakeMetrics.counter(getMetricGroup(), LakeMetrics.FILES_WRITTEN);
    bytes = LakeMetrics.counter(getMetricGroup(), LakeMetrics.BYTES_WRITTEN);
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    buffer.add(element.getValue());
    if (buffer.isFull()) {
      writeRows();
      files().limitOpen();
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) {
    sendFiles();
  }

  @Override
  public void endInput() {
    sendFiles();
  }

  @Override
  public void close() throws Exception {
    PartitionFiles begun = files;
    files = null;
    if (begun != null) {
      begun.abandon();
    }
    LakeTable.Opened source = opened;
    opened = null;
    if (source != null) {
      source.close();
    }
    super.close();
  }

  private void writeRows() {
    buffer.drain(files()::write);
    RowBuffer.Tally tally = buffer.takeTally();
    rows.inc(tally.rows());
    skipped.inc(tally.skipped());
  }

  private void sendFiles() {
    writeRows();
    for (DataFile file : files().take()) {
      written.inc();
      bytes.inc(file.fileSizeInBytes());
      output.collect(
          new StreamRecord<>(
              ContentFileParser.toJson(
                  file, java.util.Objects.requireNonNull(opened).table().spec())));
    }
    TopicOffsets taken = new TopicOffsets(buffer.takeOffsets());
    if (!taken.isEmpty()) {
      output.collect(new StreamRecord<>(taken.toElement()));
    }
  }

  private PartitionFiles files() {
    return java.util.Objects.requireNonNull(files);
  }
}

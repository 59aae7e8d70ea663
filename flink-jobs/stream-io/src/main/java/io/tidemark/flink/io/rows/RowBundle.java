package io.tidemark.flink.io.rows;

import java.io.ByteArrayOutputStream;

/** Lines waiting to become one Kafka record. */
final class RowBundle {

  static final int MOST_ROWS = 500;

  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private int rows;

  boolean isEmpty() {
    return rows == 0;
  }

  /** Whether the row still fits; an empty bundle takes any row. */
  boolean hasRoomFor(byte[] row) {
    return isEmpty()
        || (rows < MOST_ROWS && lines.size() + 1 + row.length <= RowSink.LARGEST_BUNDLE);
  }

  void add(byte[] row) {
    if (!isEmpty()) {
      lines.write('\n');
    }
    lines.writeBytes(row);
    rows++;
  }

  /** The record value; the bundle is empty afterwards. */
  byte[] take() {
    byte[] value = lines.toByteArray();
    lines.reset();
    rows = 0;
    return value;
  }
}

package io.tidemark.platform.audit.web;

import io.tidemark.platform.audit.AuditEntry;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/** A log as lines, read part by part while it is sent, so that its length costs no memory. */
final class AuditLogExport extends InputStream {

  private final LongFunction<List<AuditEntry>> after;
  private final Function<AuditEntry, String> line;
  private byte[] part = new byte[0];
  private int position;
  private long sequence;
  private boolean atEnd;

  /**
   * An export from the first entry.
   *
   * @param after the next entries after a sequence; none at the end
   * @param line an entry as one line
   */
  AuditLogExport(LongFunction<List<AuditEntry>> after, Function<AuditEntry, String> line) {
    this.after = after;
    this.line = line;
  }

  @Override
  public int read() {
    return hasMore() ? part[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int count = Math.min(length, part.length - position);
    System.arraycopy(part, position, target, offset, count);
    position += count;
    return count;
  }

  private boolean hasMore() {
    if (position == part.length && !atEnd) {
      List<AuditEntry> next = after.apply(sequence);
      atEnd = next.isEmpty();
      StringBuilder lines = new StringBuilder();
      for (AuditEntry entry : next) {
        lines.append(line.apply(entry)).append('\n');
        sequence = entry.sequence();
      }
      part = lines.toString().getBytes(StandardCharsets.UTF_8);
      position = 0;
    }
    return position < part.length;
  }
}

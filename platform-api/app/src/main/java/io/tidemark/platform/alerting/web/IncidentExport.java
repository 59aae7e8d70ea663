package io.tidemark.platform.alerting.web;

import io.tidemark.platform.shared.Page;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Incidents as lines, read page by page while they are sent, so that their number costs no memory.
 */
final class IncidentExport<T> extends InputStream {

  private final Function<String, Page<T>> after;
  private final Function<T, String> line;
  private byte[] part = new byte[0];
  private int position;
  private @Nullable String place = "";

  /**
   * An export from the newest.
   *
   * @param after the page after a place; the first one after an empty one
   * @param line an incident as one line
   */
  IncidentExport(Function<String, Page<T>> after, Function<T, String> line) {
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
    while (position == part.length && place != null) {
      Page<T> page = after.apply(place);
      place = page.next();
      StringBuilder lines = new StringBuilder();
      page.items().forEach(item -> lines.append(line.apply(item)).append('\n'));
      part = lines.toString().getBytes(StandardCharsets.UTF_8);
      position = 0;
    }
    return position < part.length;
  }
}

package io.tidemark.platform.ingest.web;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what was read of a body, before decompression. */
final class CountingInputStream extends FilterInputStream {

  private long count;

  CountingInputStream(InputStream body) {
    super(body);
  }

  long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    if (read >= 0) {
      count++;
    }
    return read;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    if (read > 0) {
      count += read;
    }
    return read;
  }
}

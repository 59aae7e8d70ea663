package io.tidemark.platform.ingest.kafka.listener;

import java.io.IOException;
import java.io.InterruptedIOException;

/** A pause of a connection's thread; the end of the application ends it. */
final class InterruptibleDelay {

  private InterruptibleDelay() {}

  static void millis(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The application stops");
    }
  }
}

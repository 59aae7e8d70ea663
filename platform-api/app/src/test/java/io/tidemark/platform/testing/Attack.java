package io.tidemark.platform.testing;

import java.io.IOException;

/** Goes on from its start until it is closed; bounded in connections and in pace. */
public interface Attack extends AutoCloseable {

  void start() throws IOException;

  @Override
  void close() throws IOException;
}

package io.tidemark.pipeline.support;

import java.util.Map;

/** Something that sends metrics with one key, and keeps account of what was taken. */
public interface Sender extends AutoCloseable {

  /** What a metric adds up to. */
  record Total(double sum, long points) {
    public Total and(double value, long more) {
      return new Total(sum + value, points + more);
    }
  }

  /**
   * Sends some.
   *
   * @return by door whether it was taken; false when the key was refused
   */
  Map<String, Boolean> send() throws Exception;

  /** What was taken so far, by metric. */
  Map<String, Total> sent() throws Exception;

  @Override
  default void close() throws Exception {}
}

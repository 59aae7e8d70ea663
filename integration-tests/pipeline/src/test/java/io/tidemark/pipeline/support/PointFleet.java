package io.tidemark.pipeline.support;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** Generates the points of many series, a step of ten seconds at a time, as OTLP requests. */
public interface PointFleet {
  int STEP_SECONDS = 10;

  /** Takes one request body. */
  @FunctionalInterface
  interface Receiver {
    void accept(byte[] body) throws IOException, InterruptedException;
  }

  /** What the points of a metric add up to. */
  record Total(long count, double sum) {
    public Total plus(long points, double value) {
      return new Total(count + points, sum + value);
    }
  }

  /** Series that send at any one time. */
  int series();

  /** One point of each series; bodies leave in the order in which hosts would send them. */
  void step(int number, Instant time, Receiver receiver) throws IOException, InterruptedException;

  /** What is still held back. */
  void finish(Receiver receiver) throws IOException, InterruptedException;

  /** By metric, of all that was handed over. */
  Map<String, Total> totals();

  /** One line for the report. */
  String shape();
}

package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.PointFleet;
import java.io.IOException;

/**
 * Another database that takes the points of a benchmark by OTLP/HTTP, keeps them, and adds up sum,
 * count, least, greatest and last value of each series and interval.
 */
interface MeasuredPeer extends AutoCloseable {
  String name();

  /** In front of {@code /v1/metrics}. */
  String otlp();

  long pid();

  /** What it took becomes visible to queries. */
  void flush() throws Exception;

  /** Points of a metric as they were sent. */
  PointFleet.Total raw(String metric) throws IOException, InterruptedException;

  /** What its intervals of a metric add up to. */
  PointFleet.Total rolledUp(String metric) throws IOException, InterruptedException;

  /** Rows of intervals, one for each series and interval, of a metric. */
  long intervals(String metric) throws IOException, InterruptedException;

  @Override
  void close() throws IOException, InterruptedException;
}

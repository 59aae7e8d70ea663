package io.tidemark.platform.metricstore;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Counts stored series and rows. All of what a caller may read; runs beside other queries. */
public interface SeriesCounter {

  /** One standard error of an estimate: HyperLogLog with 2,048 registers. */
  double RELATIVE_ERROR = 0.023;

  /** Label of series into which others were folded. */
  String OVERFLOW = "metric.tidemark.overflow";

  /**
   * Series of a metric.
   *
   * @param from start of the day, or of the interval
   */
  record MetricSeries(String metric, Instant from, long series) {}

  /** Series without some labels, and rows of one minute each. */
  record ReducedSeries(long series, long rows) {}

  /** A resource, or all of a type, or all of a name; what is null fits any. */
  record ResourceSelector(@Nullable String type, @Nullable String id) {

    public static final ResourceSelector ANY = new ResourceSelector(null, null);
  }

  /** What is to be counted. */
  record Counting(Source source, TimeInterval interval, ResourceSelector resource) {

    /** Rows of any resource. */
    public Counting(Source source, TimeInterval interval) {
      this(source, interval, ResourceSelector.ANY);
    }
  }

  /** Stored rows. */
  long rows(QueryScope readable, Counting counting);

  /** Stored rows by start of minute; minutes without rows are missing. */
  SortedMap<Instant, Long> rowsByMinute(QueryScope readable, Counting counting);

  /** Stored rows of a metric. */
  long rows(QueryScope readable, Counting counting, String metric);

  /**
   * Series by metric.
   *
   * @param byDay for each day, of UTC; otherwise of the whole interval
   * @param exact counts every series once, by memory that grows with them; otherwise an estimate
   */
  List<MetricSeries> series(QueryScope readable, Counting counting, boolean byDay, boolean exact);

  /** Overflow series by metric; there are few. */
  List<MetricSeries> overflowSeries(QueryScope readable, Counting counting);

  /** An estimate of the number of values of each label. */
  Map<String, Long> values(
      QueryScope readable, Counting counting, String metric, Set<String> labels);

  /**
   * Series and rows as they would be with these labels alone, exactly.
   *
   * @param labels null for the series as they are
   */
  ReducedSeries reduced(
      QueryScope readable, Counting counting, String metric, @Nullable Set<String> labels);

  /**
   * Bytes of a row in the segments of a datasource that are stored for good, of everybody's rows;
   * empty while there are none.
   */
  OptionalDouble bytesPerRow(Source source, TimeInterval interval);
}

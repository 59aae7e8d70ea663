package io.tidemark.platform.ingest.prometheus;

/**
 * What one request may hold. Beyond the first three the request is refused as a whole, beyond the
 * others the series or histogram is.
 *
 * @param series series in a request
 * @param symbols texts in the table of a request
 * @param record bytes of the OTLP request that it becomes: a text is written once in remote write
 *     2.0, but once for every point in OTLP
 * @param labels labels of a series
 * @param name bytes of a label's name
 * @param value bytes of a label's value
 * @param buckets buckets of a native histogram, each of the negative and positive ones, from the
 *     first to the last that is not empty
 */
public record RemoteWriteLimits(
    int series, int symbols, int record, int labels, int name, int value, int buckets) {

  /** The limits in use, for records of at most so many bytes. */
  public static RemoteWriteLimits ofRecord(int record) {
    return new RemoteWriteLimits(100_000, 400_000, record, 128, 512, 16 * 1024, 16_384);
  }
}

package io.tidemark.platform.ingest.prometheus;

/** The two messages of remote write, by the numbers of the fields that differ. */
public enum RemoteWriteVersion {
  /** prometheus.WriteRequest. */
  V1("remote_write_1", 1, 4, 3),
  /** io.prometheus.write.v2.Request. */
  V2("remote_write_2", 5, 3, 4);

  private final String protocol;
  final int timeseries;
  final int histograms;
  final int exemplars;

  RemoteWriteVersion(String protocol, int timeseries, int histograms, int exemplars) {
    this.protocol = protocol;
    this.timeseries = timeseries;
    this.histograms = histograms;
    this.exemplars = exemplars;
  }

  /** The name for counters. */
  public String protocol() {
    return protocol;
  }
}

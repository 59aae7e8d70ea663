package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.Routes;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.usage.RowTally;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** What all series of a metric and resource have in common, kept once for all of them. */
public final class SeriesHead {

  /** Their descriptors up to the attributes. */
  final byte[] bytes;

  private byte @Nullable [] rowText;

  private @Nullable RowTally rowTally;

  private @Nullable String organizationId;

  /** Intervals of the metric, as of this version of the routes. */
  private @Nullable NavigableMap<Long, RouteInterval> intervals;

  private long routesVersion = -1;

  SeriesHead(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The tenant. */
  String organizationId() {
    String known = organizationId;
    if (known == null) {
      known = DescriptorBytes.organizationOf(bytes);
      organizationId = known;
    }
    return known;
  }

  /** What a sink keeps to write rows of these series, or null. */
  public byte @Nullable [] rowText() {
    return rowText;
  }

  public void keepRowText(byte[] text) {
    rowText = text;
  }

  /** What a sink counts rows of these series in, or null. */
  public @Nullable RowTally rowTally() {
    return rowTally;
  }

  public void keepRowTally(RowTally tally) {
    rowTally = tally;
  }

  /** The interval that splits a minute of the metric, or null. */
  @Nullable RouteInterval splitAt(long minute, Routes routes, SeriesState one) {
    if (routesVersion != routes.version()) {
      SeriesDescriptor named = one.descriptor();
      intervals =
          routes.of(
              RouteInterval.metricKey(
                  named.organizationId(), named.environmentId(), named.metric()));
      routesVersion = routes.version();
    }
    return intervals == null ? null : Routes.at(intervals, minute);
  }
}

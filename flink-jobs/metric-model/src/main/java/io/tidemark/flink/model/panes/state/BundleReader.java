package io.tidemark.flink.model.panes.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.panes.combine.Bundle;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.rollup.MinuteGrid;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.route.RouteInterval;
import java.nio.ByteBuffer;

/** Takes what a {@link Bundle} holds into the panes of its key group. */
final class BundleReader {

  private final KeyGroupPanes panes;
  private final PaneAggregate incoming = new PaneAggregate();
  private final Distribution incomingBuckets = new Distribution();

  BundleReader(KeyGroupPanes panes) {
    this.panes = panes;
  }

  /**
   * @throws IllegalStateException when figures come without a known series
   */
  void read(byte[] bundle, long now) {
    ByteBuffer in = ByteBuffer.wrap(bundle, Integer.BYTES, bundle.length - Integer.BYTES);
    long offset = 0;
    long receivedAt = 0;
    int partition = 0;
    String batchId = "";
    while (in.hasRemaining()) {
      byte form = in.get();
      long first = in.getLong();
      long second = in.getLong();
      switch (form) {
        case Bundle.SERIES -> {
          TenantLimits limits =
              new TenantLimits(in.getLong(), in.getLong(), in.getInt(), in.getInt(), in.getInt());
          byte[] descriptor = new byte[in.getInt()];
          in.get(descriptor);
          panes.admission.announced(first, second, limits, descriptor, now);
        }
        case Bundle.FOLDED ->
            panes.admission.announcedFolded(first, second, in.getLong(), in.getLong(), now);
        case Bundle.VALUE -> {
          long time = in.getLong();
          incoming.ofValue(in.getDouble(), time);
          panes.addCounted(MinuteGrid.minuteOf(time), known(first, second, now), incoming, now);
        }
        case Bundle.PARTIAL, Bundle.PARTIAL_WITH_BUCKETS -> {
          long minute = in.getLong();
          incoming.sum = in.getDouble();
          incoming.count = in.getLong();
          incoming.min = in.getDouble();
          incoming.max = in.getDouble();
          incoming.last = in.getDouble();
          incoming.lastTimeUnixNano = in.getLong();
          incoming.distribution = null;
          if (form == Bundle.PARTIAL_WITH_BUCKETS) {
            // Only lent: who keeps it copies it.
            incomingBuckets.read(in);
            incoming.distribution = incomingBuckets;
          }
          panes.addCounted(minute, known(first, second, now), incoming, now);
        }
        case Bundle.BATCH -> {
          offset = first;
          receivedAt = second;
          partition = in.getInt();
          byte[] id = new byte[in.getInt()];
          in.get(id);
          batchId = new String(id, UTF_8);
        }
        case Bundle.READING, Bundle.READING_WITH_BUCKETS -> {
          SourcePosition position = new SourcePosition(partition, offset, in.getInt());
          long time = in.getLong();
          long start = in.getLong();
          double sum = in.getDouble();
          long count = in.getLong();
          boolean hasBuckets = form == Bundle.READING_WITH_BUCKETS;
          long layout = hasBuckets ? in.getLong() : BucketLayout.NONE;
          CumulativeReading reading =
              new CumulativeReading(
                  start,
                  sum,
                  count,
                  hasBuckets ? Distribution.decode(in) : null,
                  layout,
                  batchId,
                  receivedAt);
          OpenPane pane = panes.pane(RollupLevel.MINUTE, MinuteGrid.minuteOf(time), now);
          panes.readings.hold(
              pane, known(first, second, now), time, new PendingReading(reading, position));
        }
        case Bundle.ROUTE -> {
          byte[] route = new byte[in.getInt()];
          in.get(route);
          panes.routes.put(RouteInterval.decode(route));
        }
        default -> throw new IllegalStateException("A bundle holds unknown form " + form);
      }
    }
  }

  private SeriesState known(long high, long low, long now) {
    SeriesState known = panes.series.find(high, low);
    if (known == null) {
      throw new IllegalStateException(
          "Figures came for a series that was not announced. The job starts again, and senders"
              + " announce every series anew.");
    }
    known.seenAt = now;
    return known;
  }
}

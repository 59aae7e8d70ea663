package io.tidemark.flink.io.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.contracts.usage.v1.UsageIncrement;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records of the topic of increments; events/tidemark/usage/v1/usage_increment.proto. */
public final class IncrementCodec {

  /** Series of a record; who shows more writes another. */
  public static final int MOST_SERIES = 4_096;

  private static final int ID_BYTES = 2 * Long.BYTES;

  private IncrementCodec() {}

  /** Units of a subject and hour, without series. */
  public static EncodedIncrement encode(UsageHour hour, MeteredUnits units) {
    return encode(hour, units, new long[0], 0, 0);
  }

  /**
   * Units of a subject and hour, and series that rows show.
   *
   * @param series ids, two numbers each
   * @param from the first of the series
   * @param to after the last; at most {@link #MOST_SERIES} after the first
   */
  public static EncodedIncrement encode(
      UsageHour hour, MeteredUnits units, long[] series, int from, int to) {
    UsageSubject subject = hour.subject();
    UsageIncrement increment =
        UsageIncrement.newBuilder()
            .setOrganizationId(subject.organizationId())
            .setEnvironmentId(subject.environmentId())
            .setResourceType(subject.resourceType())
            .setResourceId(subject.resourceId())
            .setMetric(subject.metric())
            .setHourUnixMs(hour.startUnixMs())
            .setPoints(units.points())
            .setBytes(units.bytes())
            .setPointsSetAside(units.pointsSetAside())
            .setPointsWithoutValue(units.pointsWithoutValue())
            .setRollupRows1M(units.rowsOfMinutes())
            .setRollupRows1MHc(units.rowsInDetail())
            .setRollupRows1H(units.rowsOfHours())
            .setRollupRows1D(units.rowsOfDays())
            .setSeries(ids(series, from, to))
            .build();
    return new EncodedIncrement(keyOf(subject), increment.toByteArray());
  }

  private static ByteString ids(long[] series, int from, int to) {
    ByteBuffer ids = ByteBuffer.allocate((to - from) * ID_BYTES);
    for (int i = 2 * from; i < 2 * to; i++) {
      ids.putLong(series[i]);
    }
    return UnsafeByteOperations.unsafeWrap(ids.array());
  }

  static byte[] keyOf(UsageSubject subject) {
    return String.join(
            "/",
            subject.organizationId(),
            subject.environmentId(),
            subject.resourceType(),
            subject.resourceId(),
            subject.metric())
        .getBytes(UTF_8);
  }

  /** The value of a record; null when it is none of the contract. */
  public static @Nullable CountedIncrement decode(byte[] value) {
    UsageIncrement read;
    try {
      read = UsageIncrement.parseFrom(value);
    } catch (InvalidProtocolBufferException damaged) {
      return null;
    }
    MeteredUnits points =
        new MeteredUnits(
            read.getPoints(),
            read.getBytes(),
            read.getPointsSetAside(),
            read.getPointsWithoutValue());
    MeteredUnits rows =
        new MeteredUnits(
            0,
            0,
            0,
            0,
            0,
            0,
            read.getRollupRows1M(),
            read.getRollupRows1MHc(),
            read.getRollupRows1H(),
            read.getRollupRows1D());
    if (read.getOrganizationId().isEmpty()
        || read.getSeries().size() % ID_BYTES != 0
        || points.isAnyNegative()
        || rows.isAnyNegative()) {
      return null;
    }
    UsageSubject subject =
        new UsageSubject(
            read.getOrganizationId(),
            read.getEnvironmentId(),
            read.getResourceType(),
            read.getResourceId(),
            read.getMetric());
    return new CountedIncrement(
        new UsageHour(subject, read.getHourUnixMs()), points, rows, series(read.getSeries()));
  }

  private static List<String> series(ByteString ids) {
    ByteBuffer in = ids.asReadOnlyByteBuffer();
    List<String> series = new ArrayList<>(ids.size() / ID_BYTES);
    while (in.hasRemaining()) {
      series.add(new SeriesKey(in.getLong(), in.getLong()).hex());
    }
    return series;
  }
}

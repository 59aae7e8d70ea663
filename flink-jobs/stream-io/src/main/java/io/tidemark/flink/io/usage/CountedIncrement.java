package io.tidemark.flink.io.usage;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.usage.v1.UsageIncrement;
import io.tidemark.contracts.usage.v1.UsageIncrements;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a subtask counted of a subject and hour.
 *
 * @param points points and bytes of batches
 * @param rows rows of rollups
 * @param series ids of the series that rows show, 32 hexadecimal digits each
 */
public record CountedIncrement(
    UsageHour hour, MeteredUnits points, MeteredUnits rows, List<String> series) {

  private static final int ID_BYTES = 2 * Long.BYTES;

  /** Those of a record, in its order; none when it is not of the contract. */
  public static List<CountedIncrement> of(byte[] value) {
    UsageIncrements read;
    try {
      read = UsageIncrements.parseFrom(value);
    } catch (InvalidProtocolBufferException damaged) {
      return List.of();
    }
    List<CountedIncrement> increments = new ArrayList<>(read.getIncrementsCount());
    for (UsageIncrement one : read.getIncrementsList()) {
      CountedIncrement counted = of(one);
      if (one.getOrganizationId().isEmpty()
          || one.getSeries().size() % ID_BYTES != 0
          || counted.points.isAnyNegative()
          || counted.rows.isAnyNegative()) {
        return List.of();
      }
      increments.add(counted);
    }
    return increments;
  }

  private static CountedIncrement of(UsageIncrement read) {
    UsageSubject subject =
        new UsageSubject(
            read.getOrganizationId(),
            read.getEnvironmentId(),
            read.getResourceType(),
            read.getResourceId(),
            read.getMetric());
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
    return new CountedIncrement(
        new UsageHour(subject, read.getHourUnixMs()), points, rows, series(read.getSeries()));
  }

  private static List<String> series(ByteString ids) {
    ByteBuffer in = ids.asReadOnlyByteBuffer();
    List<String> series = new ArrayList<>(ids.size() / ID_BYTES);
    while (in.remaining() >= ID_BYTES) {
      series.add(new SeriesKey(in.getLong(), in.getLong()).hex());
    }
    return series;
  }
}

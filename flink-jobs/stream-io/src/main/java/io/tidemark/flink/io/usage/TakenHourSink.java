package io.tidemark.flink.io.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.KeyAndValue;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Points that the rollup job took, on the topic of usage records, exactly once;
 * events/tidemark/usage/v1/usage_record.proto.
 */
public final class TakenHourSink {

  static final String METER = "points_rolled_up";

  private static final int LARGEST_RECORD = 1_000_000;

  private TakenHourSink() {}

  public static Sink<TakenHour> of(
      String bootstrapServers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        bootstrapServers,
        transactions,
        "usage",
        LARGEST_RECORD,
        new KeyAndValue<>(topic, TakenHourSink::key, TakenHourSink::value));
  }

  static byte[] key(TakenHour hour) {
    return (hour.taken().organizationId() + "/" + hour.taken().environmentId()).getBytes(UTF_8);
  }

  static byte[] value(TakenHour hour) {
    TakenPoints taken = hour.taken();
    return UsageRecord.newBuilder()
        .setRecordId(hour.recordId())
        .setOrganizationId(taken.organizationId())
        .setEnvironmentId(taken.environmentId())
        .setHourUnixMs(taken.hourUnixMs())
        .setMetersVersion(MeteredUnits.VERSION)
        .addQuantities(Quantity.newBuilder().setMeter(METER).setUnits(taken.points()))
        .setMeteredAtUnixMs(hour.meteredAtUnixMs())
        .setSourcePartition(taken.partition())
        .setSourceOffset(taken.offset())
        .build()
        .toByteArray();
  }
}

package io.tidemark.flink.io.usage;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import org.apache.flink.api.connector.sink2.Sink;

/** Points that the rollup job took, on the topic of usage records. */
public final class TakenHourSink {

  static final String METER = "points_rolled_up";

  private TakenHourSink() {}

  public static Sink<TakenHour> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return UsageRecordSchema.sink(brokers, topic, transactions, TakenHourSink::record);
  }

  static UsageRecord record(TakenHour hour) {
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
        .build();
  }
}

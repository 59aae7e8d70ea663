package io.tidemark.flink.usage;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.usage.UsageRecordSchema;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.usage.operator.MeteredUsage;
import io.tidemark.flink.usage.operator.UsageIncrement;
import org.apache.flink.api.connector.sink2.Sink;

/** Metered usage, on the topic of usage records. */
final class UsageRecordSink {

  private UsageRecordSink() {}

  static Sink<MeteredUsage> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return UsageRecordSchema.sink(brokers, topic, transactions, UsageRecordSink::record);
  }

  static UsageRecord record(MeteredUsage usage) {
    UsageIncrement increment = usage.increment();
    UsageRecord.Builder record =
        UsageRecord.newBuilder()
            .setRecordId(usage.recordId())
            .setOrganizationId(increment.organizationId())
            .setEnvironmentId(increment.environmentId())
            .setResourceType(increment.resourceType())
            .setResourceId(increment.resourceId())
            .setMetric(increment.metric())
            .setHourUnixMs(increment.hourUnixMs())
            .setMetersVersion(MeteredUnits.VERSION)
            .setMeteredAtUnixMs(usage.meteredAtUnixMs())
            .setSourcePartition(increment.partition())
            .setSourceOffset(increment.offset());
    add(record, "points", increment.points());
    add(record, "bytes", increment.bytes());
    add(record, "points_set_aside", increment.pointsSetAside());
    add(record, "points_without_value", increment.pointsWithoutValue());
    add(record, "active_series", increment.activeSeries());
    add(record, "new_series", increment.newSeries());
    add(record, "rollup_rows_1m", increment.rowsOfMinutes());
    add(record, "rollup_rows_1m_hc", increment.rowsInDetail());
    add(record, "rollup_rows_1h", increment.rowsOfHours());
    add(record, "rollup_rows_1d", increment.rowsOfDays());
    return record.build();
  }

  private static void add(UsageRecord.Builder record, String meter, long units) {
    if (units > 0) {
      record.addQuantities(Quantity.newBuilder().setMeter(meter).setUnits(units));
    }
  }
}

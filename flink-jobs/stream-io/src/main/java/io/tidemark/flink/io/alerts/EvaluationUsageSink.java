package io.tidemark.flink.io.alerts;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.usage.UsageRecordSchema;
import io.tidemark.flink.model.alert.EvaluationUsage;
import io.tidemark.flink.model.usage.MeteredUnits;
import org.apache.flink.api.connector.sink2.Sink;

/** Evaluations of alert rules, on the topic of usage records. */
public final class EvaluationUsageSink {

  static final String METER = "alert_series_evaluations";
  static final String RESOURCE_TYPE = "alert_rule";

  private static final int PARTS_OF_KEY = 3;

  /** The record is made of no batch and no row. */
  private static final int NO_PARTITION = -1;

  private EvaluationUsageSink() {}

  public static Sink<EvaluationUsage> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return UsageRecordSchema.sink(brokers, topic, transactions, EvaluationUsageSink::record);
  }

  static UsageRecord record(EvaluationUsage usage) {
    String[] rule = usage.hour().rule().split("/", PARTS_OF_KEY);
    return UsageRecord.newBuilder()
        .setRecordId(usage.recordId())
        .setOrganizationId(rule[0])
        .setEnvironmentId(rule[1])
        .setResourceType(RESOURCE_TYPE)
        .setResourceId(rule[2])
        .setMetric(usage.hour().metric())
        .setHourUnixMs(usage.hour().hourUnixMs())
        .setMetersVersion(MeteredUnits.VERSION)
        .addQuantities(Quantity.newBuilder().setMeter(METER).setUnits(usage.hour().evaluations()))
        .setMeteredAtUnixMs(usage.meteredAtUnixMs())
        .setSourcePartition(NO_PARTITION)
        .build();
  }
}

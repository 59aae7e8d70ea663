package io.tidemark.flink.io.alerts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.KeyAndValue;
import io.tidemark.flink.model.alert.EvaluationUsage;
import io.tidemark.flink.model.usage.MeteredUnits;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Evaluations on the topic of usage records, exactly once;
 * events/tidemark/usage/v1/usage_record.proto.
 */
public final class EvaluationUsageSink {

  static final String METER = "alert_series_evaluations";
  static final String RESOURCE_TYPE = "alert_rule";

  private static final int LARGEST_RECORD = 1_000_000;
  private static final int PARTS_OF_KEY = 3;

  /** The record is made of no batch and no row. */
  private static final int NO_PARTITION = -1;

  private EvaluationUsageSink() {}

  public static Sink<EvaluationUsage> of(
      String bootstrapServers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        bootstrapServers,
        transactions,
        "usage",
        LARGEST_RECORD,
        new KeyAndValue<>(topic, EvaluationUsageSink::key, EvaluationUsageSink::value));
  }

  static byte[] key(EvaluationUsage usage) {
    String[] rule = rule(usage);
    return (rule[0] + "/" + rule[1]).getBytes(UTF_8);
  }

  static byte[] value(EvaluationUsage usage) {
    String[] rule = rule(usage);
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
        .build()
        .toByteArray();
  }

  private static String[] rule(EvaluationUsage usage) {
    return usage.hour().rule().split("/", PARTS_OF_KEY);
  }
}

package io.tidemark.flink.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.control.v1.AlertComparison;
import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.contracts.control.v1.AlertSignal;
import io.tidemark.contracts.control.v1.LabelMatcher;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.progress.ProgressRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.completeness.CompletenessStatement;
import io.tidemark.flink.model.completeness.TenantLag;
import java.util.List;

/** Rules, rows and statements of tests. */
public final class TestAlerts {

  public static final long MINUTE = 60_000;
  public static final long BEGINNING = 1_767_225_600_000L;

  private TestAlerts() {}

  public static long minute(int number) {
    return BEGINNING + number * MINUTE;
  }

  public static String key(String rule) {
    return "org-a/env-a/" + rule;
  }

  /** A rule about the sum of a metric by queue. */
  public static AlertRuleControl.Builder rule(String id, String metric, double threshold) {
    return AlertRuleControl.newBuilder()
        .setOrganizationId("org-a")
        .setEnvironmentId("env-a")
        .setRuleId(id)
        .setVersion(1)
        .setForm(1)
        .setEffectiveFromUnixMs(BEGINNING)
        .setSeverity("critical")
        .setNoDataAfterMinutes(5)
        .setSignal(
            AlertSignal.newBuilder()
                .setKind("threshold")
                .setMetric(metric)
                .setAggregation("sum")
                .addGroupBy("metric.queue")
                .setWindowMinutes(1))
        .setComparison(AlertComparison.newBuilder().setOperator("gt").setThreshold(threshold));
  }

  /** The sum of each series of a metric by itself. */
  public static AlertSignal.Builder perSeries(String metric) {
    return AlertSignal.newBuilder()
        .setKind("threshold")
        .setMetric(metric)
        .setAggregation("sum")
        .setPerSeries(true)
        .setWindowMinutes(1);
  }

  public static ControlRecord record(AlertRuleControl.Builder rule) {
    return new ControlRecord(key(rule.getRuleId()), rule.build().toByteArray());
  }

  public static ControlRecord deleted(String rule) {
    return new ControlRecord(key(rule), new byte[0]);
  }

  public static LabelMatcher.Builder matcher(String label, String operator, String value) {
    return LabelMatcher.newBuilder().setLabel(label).setOperator(operator).setValue(value);
  }

  public static ControlRecord complete(int untilMinute, TenantLag... lags) {
    return new ControlRecord(
        "",
        ProgressRecord.encode(new CompletenessStatement(minute(untilMinute), 0, List.of(lags))));
  }

  /** A line of a rollup topic. */
  public static String row(String metric, String queue, int minute, double sum) {
    return """
    {"timestamp":%d,"organization_id":"org-a","environment_id":"env-a","metric":"%s",\
    "metric_type":"gauge","unit":"1","resource_type":"service","resource_id":"shop",\
    "series_id":"0123456789abcdef0123456789abcdef","metric.queue":"%s","sum":%s,"count":1,\
    "min":%s,"max":%s,"last":%s,"last_timestamp":%d,"pane_id":"x"}\
    """
        .formatted(minute(minute), metric, queue, sum, sum, sum, sum, minute(minute) + 1);
  }

  public static RowBundle bundle(String... rows) {
    return new RowBundle(String.join("\n", rows).getBytes(UTF_8), false, 0);
  }
}

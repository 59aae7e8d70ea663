package io.tidemark.flink.io.alerts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.EvaluationUsage;
import org.junit.jupiter.api.Test;

class EvaluationUsageSinkTest {

  private static final long HOUR = 1_767_225_600_000L;

  @Test
  void aRecordNamesTheRuleAndItsMetric() {
    EvaluationUsage usage =
        EvaluationUsage.of(
            new EvaluatedHour("org-a/env-a/rule-1", "queue/depth", HOUR, 120),
            3,
            HOUR + 900_000,
            HOUR + 1);

    UsageRecord record = EvaluationUsageSink.record(usage);

    assertEquals(64, record.getRecordId().length());
    assertEquals("org-a", record.getOrganizationId());
    assertEquals("env-a", record.getEnvironmentId());
    assertEquals("alert_rule", record.getResourceType());
    assertEquals("rule-1", record.getResourceId());
    assertEquals("queue/depth", record.getMetric());
    assertEquals(HOUR, record.getHourUnixMs());
    assertEquals(3, record.getMetersVersion());
    assertEquals(1, record.getQuantitiesCount());
    assertEquals("alert_series_evaluations", record.getQuantities(0).getMeter());
    assertEquals(120, record.getQuantities(0).getUnits());
    assertEquals(-1, record.getSourcePartition());
  }
}

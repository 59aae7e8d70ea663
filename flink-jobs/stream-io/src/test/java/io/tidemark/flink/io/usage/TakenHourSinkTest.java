package io.tidemark.flink.io.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import org.junit.jupiter.api.Test;

class TakenHourSinkTest {

  private static final long HOUR = 1_767_225_600_000L;

  @Test
  void aRecordIsOfTheEnvironmentAsAWhole() {
    TakenPoints taken = new TakenPoints("org-a", "env-a", HOUR, 3, 9, 42);
    TakenHour hour = new TakenHour(taken.recordId(), taken, HOUR + 1);

    UsageRecord record = TakenHourSink.record(hour);

    assertEquals(64, record.getRecordId().length());
    assertEquals("org-a", record.getOrganizationId());
    assertEquals("env-a", record.getEnvironmentId());
    assertEquals("", record.getResourceType() + record.getResourceId() + record.getMetric());
    assertEquals("points_rolled_up", record.getQuantities(0).getMeter());
    assertEquals(42, record.getQuantities(0).getUnits());
    assertEquals(3, record.getSourcePartition());
    assertEquals(9, record.getSourceOffset());
  }
}

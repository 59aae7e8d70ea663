package io.tidemark.flink.rollup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.budget.PlanDefaults;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RollupConfigTest {

  @Test
  void readsEveryArgument() {
    RollupConfig config =
        RollupConfig.parse(
            "--kafka.bootstrap.servers", "a:1,b:2",
            "--points.topic", "telemetry.points.v1",
            "--rollup-1m.topic", "telemetry.rollup-1m.v1",
            "--rollup-1h.topic", "telemetry.rollup-1h.v1",
            "--rollup-1d.topic", "telemetry.rollup-1d.v1",
            "--tenants.topic", "control.tenants.v1",
            "--metrics.topic", "control.metrics.v1",
            "--routes.topic", "pipeline.routes.v1",
            "--rollup-1m-hc.topic", "telemetry.rollup-1m-hc.v1",
            "--budgets.topic", "pipeline.budgets.v1",
            "--dead-letters.topic", "telemetry.dead-letters.v1",
            "--watermarks.topic", "pipeline.watermarks.v1",
            "--usage.topic", "usage.records.v1",
            "--increments.topic", "usage.increments.v1",
            "--live.topic", "telemetry.live.v1",
            "--live.cells-per-second", "20000",
            "--organization.series", "1000000",
            "--organization.label-keys", "2000",
            "--environment.label-keys", "1000",
            "--transactional-id-prefix", "tidemark-rollup",
            "--transaction.timeout.ms", "604800000");

    assertEquals("a:1,b:2", config.brokers().bootstrapServers());
    assertSame(config.brokers(), config.source().brokers());
    assertEquals("telemetry.points.v1", config.pointsTopic());
    assertEquals("telemetry.rollup-1m.v1", config.minuteTopic());
    assertEquals("telemetry.rollup-1h.v1", config.hourTopic());
    assertEquals("telemetry.rollup-1d.v1", config.dayTopic());
    assertEquals("control.tenants.v1", config.tenantsTopic());
    assertEquals("pipeline.budgets.v1", config.budgetsTopic());
    assertEquals("control.metrics.v1", config.metricsTopic());
    assertEquals("pipeline.routes.v1", config.routesTopic());
    assertEquals("telemetry.rollup-1m-hc.v1", config.splitMinuteTopic());
    assertEquals("telemetry.dead-letters.v1", config.deadLettersTopic());
    assertEquals("pipeline.watermarks.v1", config.watermarksTopic());
    assertEquals("usage.records.v1", config.usageTopic());
    assertEquals("usage.increments.v1", config.incrementsTopic());
    assertEquals("telemetry.live.v1", config.liveTopic());
    assertEquals(20_000, config.liveCellsPerSecond());
    assertEquals(PlanDefaults.ORGANIZATION, config.organizations());
    assertEquals("tidemark-rollup-rows", config.transactions().prefixOf("rows"));
    assertEquals(Duration.ofDays(7), config.transactions().transactionTimeout());
  }

  @Test
  void namesEveryFaultAtOnce() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                RollupConfig.parse(
                    "--kafka.bootstrap.servers",
                    "no-port",
                    "--points.topic",
                    "a b",
                    "--rollup-1m.topic",
                    "rows",
                    "--rollup-1m.topic",
                    "rows",
                    "--colour",
                    "blue",
                    "--transaction.timeout.ms",
                    "-1",
                    "--transactional-id-prefix"));

    for (String fault :
        new String[] {
          "--kafka.bootstrap.servers is 'no-port'",
          "--points.topic is 'a b'",
          "--rollup-1m.topic is given twice",
          "'--colour' is not known",
          "--dead-letters.topic is missing",
          "--rollup-1h.topic is missing",
          "--transaction.timeout.ms is '-1'",
          "--transactional-id-prefix has no value"
        }) {
      assertTrue(refused.getMessage().contains(fault), fault + " in " + refused.getMessage());
    }
  }
}

package io.tidemark.flink.io.removals;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.contracts.control.v1.Removal;
import io.tidemark.contracts.control.v1.RemovalRule;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemovalOrderTest {

  private static final String KEY = "org-a/env-a/del-1";

  private static Removal.Builder removal() {
    return Removal.newBuilder()
        .setOrganizationId("org-a")
        .setEnvironmentId("env-a")
        .setRemovalId("del-1")
        .setVersion(1);
  }

  private static RemovalOrder.Rule rule(String level, String pattern, String... others) {
    return new RemovalOrder.Rule(level, pattern, List.of(others), "", 0);
  }

  @Test
  void aRecordIsReadAsWritten() {
    RemovalOrder order =
        RemovalOrder.of(
            KEY,
            removal()
                .setSettledFromUnixMs(7)
                .addRules(
                    RemovalRule.newBuilder()
                        .setLevel("rollup_1m")
                        .setPattern("cpu*")
                        .addOtherPatterns("cpu.load")
                        .setSeriesId("ab")
                        .setBeforeUnixMs(5))
                .build()
                .toByteArray());
    assertEquals(KEY, order.key());
    assertEquals(7, order.settledFromMs());
    assertEquals(
        List.of(new RemovalOrder.Rule("rollup_1m", "cpu*", List.of("cpu.load"), "ab", 5)),
        order.rules());
  }

  @Test
  void whatIsNotOfTheContractRemovesNothing() {
    for (byte[] value :
        List.of(
            "no record".getBytes(UTF_8),
            removal().setEnvironmentId("env-b").build().toByteArray(),
            removal().addRules(RemovalRule.newBuilder().setLevel("weeks")).build().toByteArray(),
            removal()
                .addRules(RemovalRule.newBuilder().setBeforeUnixMs(-1))
                .build()
                .toByteArray())) {
      assertThrows(IllegalArgumentException.class, () -> RemovalOrder.of(KEY, value));
    }
    assertThrows(
        IllegalArgumentException.class,
        () ->
            RemovalOrder.of(
                "//del-1", Removal.newBuilder().setRemovalId("del-1").build().toByteArray()));
  }

  @Test
  void aLevelIsItsTables() {
    assertTrue(rule("raw", "").isAbout("raw_points"));
    assertFalse(rule("raw", "").isAbout("rollup_1m"));
    assertTrue(rule("rollup_1m", "").isAbout("rollup_1m"));
    assertTrue(rule("rollup_1m", "").isAbout("rollup_1m_hc"));
    assertFalse(rule("rollup_1m", "").isAbout("rollup_1h"));
    assertTrue(rule("", "").isAbout("rollup_1d"));
  }

  @Test
  void patternsAreNamesOrBeginnings() {
    assertTrue(rule("", "").fits("cpu", "s"));
    assertTrue(rule("", "cpu").fits("cpu", "s"));
    assertFalse(rule("", "cpu").fits("cpu.load", "s"));
    assertTrue(rule("", "cpu*").fits("cpu.load", "s"));
    assertFalse(rule("", "cpu*", "cpu.load").fits("cpu.load", "s"));
    assertFalse(rule("", "cpu*", "cpu.*").fits("cpu.load", "s"));
    assertFalse(new RemovalOrder.Rule("", "cpu", List.of(), "other", 0).fits("cpu", "s"));
  }
}

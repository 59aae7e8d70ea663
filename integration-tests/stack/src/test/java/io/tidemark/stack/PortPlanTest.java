package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortPlanTest {
  @Test
  void defaultsAreThePortsPeopleExpect() {
    PortPlan plan = PortPlan.fromEnvironment(Map.of());
    assertThat(plan.of("platform-api")).isEqualTo(8080);
    assertThat(plan.of("otlp-grpc")).isEqualTo(4317);
    assertThat(plan.of("otlp-http")).isEqualTo(4318);
    assertThat(plan.of("flink-ui")).isEqualTo(8081);
  }

  @Test
  void aBaseMovesEveryPortAndTwoBasesNeverMeet() {
    Set<Integer> one =
        new HashSet<>(
            PortPlan.fromEnvironment(Map.of("TIDEMARK_PORT_BASE", "21000")).ports().values());
    Set<Integer> other =
        new HashSet<>(
            PortPlan.fromEnvironment(Map.of("TIDEMARK_PORT_BASE", "21100")).ports().values());
    assertThat(one)
        .hasSize(PortPlan.SIZE)
        .allMatch(port -> port >= 21000 && port < 21000 + PortPlan.SIZE);
    assertThat(one).doesNotContainAnyElementsOf(other);
  }

  @Test
  void aSinglePortWinsOverTheBase() {
    PortPlan plan =
        PortPlan.fromEnvironment(
            Map.of("TIDEMARK_PORT_BASE", "21000", "TIDEMARK_PORT_FLINK_UI", "9999"));
    assertThat(plan.of("flink-ui")).isEqualTo(9999);
    assertThat(plan.of("platform-api")).isEqualTo(21000);
  }

  @Test
  void whatIsNoPortIsNamed() {
    assertThatThrownBy(() -> PortPlan.fromEnvironment(Map.of("TIDEMARK_PORT_BASE", "many")))
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("TIDEMARK_PORT_BASE=many");
    assertThatThrownBy(() -> PortPlan.fromEnvironment(Map.of("TIDEMARK_PORT_KAFKA", "80")))
        .hasMessageContaining("TIDEMARK_PORT_KAFKA=80");
    assertThatThrownBy(() -> PortPlan.fromEnvironment(Map.of("TIDEMARK_PORT_BASE", "65530")))
        .hasMessageContaining("leaves no room");
  }
}

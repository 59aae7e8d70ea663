package io.tidemark.platform.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Who has datasources of their own, by supervisors that say so. */
class SupervisedPlacementsTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TenantId LARGE = new TenantId("org-large");
  private static final DatasourcePlacement PLACEMENT =
      new DatasourcePlacement(LARGE, "large", Instant.parse("2026-12-01T00:00:00Z"));
  private static final String CONTEXT =
      """
      {"context":{"tidemark_placements":[
        {"organization_id":"org-large","name":"large","from":"2026-12-01T00:00:00Z"}]}}
      """;

  private final Map<String, String> supervisors = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private boolean isAway;
  private Instant now = Instant.parse("2026-11-20T00:00:00Z");

  private final SupervisedPlacements placements =
      new SupervisedPlacements(
          this::ask,
          List.of("rollup_1m", "rollup_1h"),
          new Clock() {
            @Override
            public Instant instant() {
              return now;
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }
          });

  private JsonNode ask(String path) {
    asked.add(path);
    if (isAway) {
      throw ProblemException.of(ErrorCode.STORE_UNAVAILABLE, "away");
    }
    String text = supervisors.get(path.substring(path.lastIndexOf('/') + 1));
    return text == null ? JSON.missingNode() : JSON.readTree(text);
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  @Test
  void oneThatAnySupervisorKnowsIsKnownOnce() {
    supervisors.put("rollup_1m", CONTEXT);
    supervisors.put("rollup_1h", CONTEXT);
    assertThat(placements.all()).containsExactly(PLACEMENT);
    assertThat(placements.of(LARGE)).contains(PLACEMENT);
    assertThat(placements.of(new TenantId("org-other"))).isEmpty();
    assertThat(asked)
        .containsExactly(
            "/druid/indexer/v1/supervisor/rollup_1m", "/druid/indexer/v1/supervisor/rollup_1h");
  }

  @Test
  void aNewOneIsFoundAfterTenSecondsAndStays() {
    supervisors.put("rollup_1m", "{\"context\":{}}");
    assertThat(placements.all()).isEmpty();
    supervisors.put("rollup_1h", CONTEXT);
    pass(Duration.ofMillis(9_999));
    assertThat(placements.all()).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(placements.all()).containsExactly(PLACEMENT);
    supervisors.clear();
    pass(Duration.ofMinutes(1));
    assertThat(placements.all()).containsExactly(PLACEMENT);
  }

  /** An answer without the own datasource would lack rows and not say so. */
  @Test
  void whileNothingIsKnownNobodyIsTakenForUnplaced() {
    isAway = true;
    assertUnknown();
    isAway = false;
    supervisors.put("rollup_1m", CONTEXT);
    pass(Duration.ofSeconds(10));
    assertThat(placements.all()).containsExactly(PLACEMENT);
    isAway = true;
    pass(Duration.ofSeconds(10));
    assertThat(placements.all()).containsExactly(PLACEMENT);
  }

  @Test
  void oneThatCannotBeReadIsNotLeftOut() {
    supervisors.put("rollup_1m", CONTEXT.replace("T00:00:00Z", ""));
    assertUnknown();
    supervisors.put("rollup_1m", CONTEXT.replace("org-large", ""));
    pass(Duration.ofSeconds(10));
    assertUnknown();
  }

  private void assertUnknown() {
    assertThatThrownBy(placements::all)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
              assertThat(problem.retryAfter()).isPresent();
            });
  }

  @Test
  void datasourcesOfATenantAreTheSharedOneAndItsOwn() {
    supervisors.put("rollup_1m", CONTEXT);
    assertThat(placements.datasources(LARGE, "rollup_1m"))
        .containsExactly("rollup_1m", "rollup_1m_large");
    assertThat(placements.datasources(new TenantId("org-other"), "rollup_1m"))
        .containsExactly("rollup_1m");
    assertThat(placements.datasources("rollup_1h")).containsExactly("rollup_1h", "rollup_1h_large");
    assertThat(DatasourcePlacements.NONE.datasources("rollup_1h")).containsExactly("rollup_1h");
  }
}

package io.tidemark.platform.metricstore.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingDruid;
import io.tidemark.platform.testing.TestingDruidRows;
import io.tidemark.platform.testing.TestingLookUpTurns;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Look-ups of names and labels: what they cost is known before they read. */
class DruidSeriesStoreTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:30:00Z");
  private static final Duration BACK = Duration.ofDays(7);
  private static final QueryScope SCOPE = QueryScope.all(new TenantId("org-a"));
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final TestingDruid druid = new TestingDruid();
  private final List<TenantId> turns = new ArrayList<>();

  @AfterEach
  void close() {
    druid.close();
  }

  private DruidSeriesStore store(long max) {
    return new DruidSeriesStore(
        new DruidHttp(HttpClient.newHttpClient(), druid.address(), Duration.ofSeconds(10)),
        (organization, source) -> Optional.empty(),
        DatasourcePlacements.NONE,
        new TestingLookUpTurns(turns, max),
        () -> "query-1",
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  /** A row of the organisation, with others' columns beside it. */
  private void rowsBesideColumns(int foreignColumns) {
    Map<String, String> own = new HashMap<>();
    own.put("organization_id", "org-a");
    own.put("metric", "orders");
    own.put("metric_type", "counter");
    own.put("metric.topic", "a");
    Map<String, String> foreign = new HashMap<>();
    foreign.put("organization_id", "org-b");
    for (int i = 0; i < foreignColumns; i++) {
      foreign.put("metric.flood" + i, "x");
    }
    druid.answerFrom(new TestingDruidRows(List.of(own, foreign)));
  }

  private List<JsonNode> asked(String type) {
    return druid.queries().stream()
        .map(JSON::readTree)
        .filter(query -> query.path("queryType").asString().equals(type))
        .toList();
  }

  @Test
  void aLookUpInTheLimitIsAnsweredInTheInteractiveLaneAndItsRowsAreCountedOnce() {
    rowsBesideColumns(1);
    DruidSeriesStore store = store(1_000);
    assertThat(store.metrics(SCOPE, BACK)).extracting("name").containsExactly("orders");
    assertThat(store.labelsByMetric(SCOPE, BACK))
        .isEqualTo(Map.of("orders", Set.of("metric.topic")));
    assertThat(asked("timeseries")).hasSize(2);
    assertThat(asked("timeseries").get(0).path("filter").toString()).contains("org-a");
    assertThat(asked("groupBy"))
        .allMatch(query -> query.at("/context/lane").asString().equals("interactive"));
    assertThat(turns).hasSize(2);
  }

  /** Others' columns make it cost more: it reads its rows once for every hundred of them. */
  @Test
  void aLookUpBeyondTheLimitIsRefusedBeforeItReads() {
    rowsBesideColumns(1_000);
    DruidSeriesStore store = store(10);
    assertThat(store.metrics(SCOPE, BACK)).hasSize(1);
    int before = asked("groupBy").size();
    assertThatThrownBy(() -> store.labelsByMetric(SCOPE, BACK))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.QUERY_TOO_EXPENSIVE));
    assertThat(asked("groupBy")).hasSize(before);
  }

  @Test
  void aLongLookUpTakesATurnOfTheSlowLane() {
    rowsBesideColumns(1_000);
    store(30).labelsByMetric(SCOPE, BACK);
    assertThat(asked("groupBy")).hasSize(22);
    assertThat(asked("groupBy"))
        .allMatch(query -> query.at("/context/lane").asString().equals("slow-lane"));
    assertThat(turns).hasSize(2);
  }
}

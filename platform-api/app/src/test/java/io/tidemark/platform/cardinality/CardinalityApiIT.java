package io.tidemark.platform.cardinality;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cardinality over HTTP; that real Druid counts so is shown by SeriesBudgetIT. */
@ExtendWith(RunningPlatform.Extension.class)
class CardinalityApiIT {

  private static final String PATH = "/environments/env-demo/cardinality";

  private final RunningPlatform platform;
  private final ControlApi demo;

  CardinalityApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  @Test
  void anEnvironmentWithoutRowsHasNoSeriesAndItsBudgets() {
    platform.druid().answerWith(200, "[]");
    int before = platform.druid().queries().size();

    Answer answer = demo.get(PATH);

    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    assertThat(answer.body().path("series").asLong()).isZero();
    assertThat(answer.body().path("method").asString()).isEqualTo("exact");
    assertThat(answer.body().path("relative_error").asDouble()).isZero();
    assertThat(answer.body().at("/budgets/active_series").asLong()).isPositive();
    List<String> queries = queriesFrom(before);
    assertThat(queries)
        .isNotEmpty()
        .allMatch(
            query -> query.contains("\"dimension\":\"organization_id\",\"value\":\"org-demo\""))
        .allMatch(query -> query.contains("\"environment_id\",\"values\":[\"env-demo\"]"))
        .allMatch(query -> query.contains("\"lane\":\"slow-lane\""));
    demo.get(PATH);
    assertThat(platform.druid().queries())
        .as("another soon after is answered from memory")
        .hasSize(before + queries.size());

    assertThat(demo.get(PATH + "?resource_type=kafka&resource_id=lkc-1").status()).isEqualTo(200);
    assertThat(queriesFrom(before + queries.size()))
        .as("a resource is counted by itself")
        .isNotEmpty()
        .allMatch(query -> query.contains("\"dimension\":\"resource_id\",\"value\":\"lkc-1\""));
  }

  private List<String> queriesFrom(int first) {
    List<String> all = List.copyOf(platform.druid().queries());
    return all.subList(first, all.size());
  }

  @Test
  void aLabelThatTheMetricDoesNotHaveIsRefused() {
    platform.druid().answerWith(200, "[]");
    Answer answer = demo.get(PATH + "/what-if?metric=none&label=metric.pod&action=drop");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().path("detail").asString()).contains("none of the metric's");
    assertThat(demo.get(PATH + "/labels?metric=none").body().path("data").size()).isZero();
    assertThat(demo.get(PATH + "/what-if?metric=none&label=x&action=fold").status()).isEqualTo(400);
  }
}

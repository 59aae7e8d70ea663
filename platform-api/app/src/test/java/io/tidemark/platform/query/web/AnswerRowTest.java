package io.tidemark.platform.query.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.query.domain.Answer;
import io.tidemark.platform.query.domain.BucketState;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.json.JsonMapper;

class AnswerRowTest {

  private static final Instant TIME = Instant.parse("2026-01-01T00:05:00Z");

  private final JsonMapper json = JsonMapper.builder().build();

  private static AnswerRow row(List<String> labels, BucketState state, Double... values) {
    SerializableString[] keys =
        AnswerRow.Labels.keys(
            List.of(new LabelKey("metric.host"), new LabelKey("resource.kafka.id")));
    return new AnswerRow(
        new SerializedString(TIME.toString()),
        AnswerRow.Labels.of(keys, labels),
        new Answer.Point(TIME, List.of(values), state, null));
  }

  private static AnswerRow spread(String distribution) {
    Distribution observed = new Distribution();
    observed.add(distribution, 1);
    return new AnswerRow(
        new SerializedString(TIME.toString()),
        AnswerRow.Labels.NONE,
        new Answer.Point(TIME, List.of(1.5), BucketState.FINAL, observed));
  }

  @Test
  void aRowIsWrittenAsTheContractSays() {
    assertThat(json.writeValueAsString(row(List.of("h\"1ü", "lkc-1"), null, 2.5)))
        .isEqualTo(
            """
            {"timestamp":"2026-01-01T00:05:00Z","metric.host":"h\\"1ü","resource.kafka.id":"lkc-1","value":2.5}""");
    assertThat(json.writeValueAsString(row(Arrays.asList(null, ""), BucketState.REVISED, 1e300)))
        .isEqualTo(
            """
            {"timestamp":"2026-01-01T00:05:00Z","metric.host":null,"resource.kafka.id":"","value":1.0E300,"state":"revised"}""");
  }

  @Test
  void severalValuesComeTogetherAndWhatIsNotThereIsNull() {
    assertThat(json.writeValueAsString(row(List.of("a", "b"), BucketState.FINAL, Double.NaN, 3.0)))
        .isEqualTo(
            """
            {"timestamp":"2026-01-01T00:05:00Z","metric.host":"a","resource.kafka.id":"b","value":null,"values":[null,3.0],"state":"final"}""");
  }

  @Test
  void aDistributionComesAsRangesAndCountsAscending() {
    assertThat(json.writeValueAsString(spread("3|-1033:7|1032:4|1040:2")))
        .isEqualTo(
            """
            {"timestamp":"2026-01-01T00:05:00Z","value":1.5,"state":"final","distribution":[[-2.1810154653305154,-2.0,7],[1.8340080864093424,2.0,4],[3.668016172818685,4.0,2]]}""");
  }

  @Test
  void itIsTheMapThatItIsWrittenAs() {
    for (AnswerRow row :
        List.of(
            spread("3|1030:1,2,3"),
            row(List.of("a", "b"), null, 1.0),
            row(Arrays.asList("a", null), BucketState.PROVISIONAL, Double.NaN, -0.5, 7.0))) {
      Map<String, Object> copy = new LinkedHashMap<>(row);
      assertThat(json.writeValueAsString(List.of(row)))
          .isEqualTo(json.writeValueAsString(List.of(copy)));
    }
  }
}

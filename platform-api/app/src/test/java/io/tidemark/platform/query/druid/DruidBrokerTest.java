package io.tidemark.platform.query.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.platform.query.domain.AggregationFunction;
import io.tidemark.platform.query.domain.Granularity;
import io.tidemark.platform.query.domain.LabelKey;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.QueryRow;
import io.tidemark.platform.query.domain.TimeInterval;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingDruid;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DruidBrokerTest {

  private static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant ONE_MINUTE_PAST = MIDNIGHT.plusSeconds(60);
  private static final TenantId TENANT = new TenantId("org-a");

  private final TestingDruid druid = new TestingDruid();
  private final DruidBroker broker = broker(druid.address());

  @AfterEach
  void stop() {
    druid.close();
  }

  private static DruidBroker broker(URI address) {
    return new DruidBroker(
        HttpClient.newHttpClient(), address, "rollup_1m", Duration.ofSeconds(20), 3);
  }

  private static MetricQuery query(Granularity granularity, int groups, String... groupBy) {
    return new MetricQuery(
        "orders",
        AggregationFunction.SUM,
        Optional.empty(),
        granularity,
        Arrays.stream(groupBy).map(LabelKey::new).toList(),
        List.of(new TimeInterval(MIDNIGHT.plusSeconds(1), MIDNIGHT.plusSeconds(3600))),
        groups);
  }

  private static String event(Instant bucket, String topic, double value) {
    return """
        {"version":"v1","timestamp":"%s","event":{"group0":%s,"value":%s,"rows":1}}"""
        .formatted(bucket, topic, value);
  }

  @Test
  void bucketsWithoutRowsOrValueAreLeftOut() {
    druid.answerWith(
        200,
        """
        [{"timestamp":"2026-01-01T00:00:00.000Z","result":{"value":1.5,"rows":2}},
         {"timestamp":"2026-01-01T00:01:00.000Z","result":{"value":0.0,"rows":0}},
         {"timestamp":"2026-01-01T00:02:00.000Z","result":{"value":null,"rows":1}},
         {"timestamp":"2026-01-01T00:03:00.000Z","result":{"value":"Infinity","rows":1}}]
        """);
    assertThat(broker.run(TENANT, query(Granularity.PT1M, 5)))
        .containsExactly(new QueryRow(MIDNIGHT, List.of(), 1.5));
    assertThat(druid.queries()).singleElement().asString().contains("\"org-a\"");
  }

  @Test
  void anAnswerIsCutBetweenGroups() {
    druid.answerWith(
        200,
        "["
            + String.join(
                ",",
                event(MIDNIGHT, "null", 1),
                event(ONE_MINUTE_PAST, "null", 2),
                event(MIDNIGHT, "\"a\"", 3),
                event(MIDNIGHT, "\"b\"", 4))
            + "]");
    assertThat(broker.run(TENANT, query(Granularity.PT1M, 2, "metric.topic")))
        .containsExactly(
            new QueryRow(MIDNIGHT, Arrays.asList((String) null), 1),
            new QueryRow(ONE_MINUTE_PAST, Arrays.asList((String) null), 2),
            new QueryRow(MIDNIGHT, List.of("a"), 3));
  }

  @Test
  void theBucketOfGranularityAllStartsWithTheInterval() {
    druid.answerWith(200, "[" + event(MIDNIGHT, "\"a\"", 3) + "]");
    assertThat(broker.run(TENANT, query(Granularity.ALL, 2, "metric.topic")))
        .containsExactly(new QueryRow(MIDNIGHT.plusSeconds(1), List.of("a"), 3));
  }

  @Test
  void nothingStoredIsAnEmptyAnswer() {
    assertThat(broker.run(TENANT, query(Granularity.PT1M, 2))).isEmpty();
  }

  @Test
  void anAnswerWithTooManyRowsIsRefused() {
    druid.answerWith(
        200,
        "["
            + String.join(
                ",",
                event(MIDNIGHT, "\"a\"", 1),
                event(MIDNIGHT, "\"b\"", 2),
                event(MIDNIGHT, "\"c\"", 3),
                event(MIDNIGHT, "\"d\"", 4))
            + "]");
    assertThat(failure(broker, "metric.topic").code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE);
  }

  @ParameterizedTest
  @CsvSource({
    "400, STORE_FAILED",
    "429, STORE_UNAVAILABLE",
    "500, STORE_FAILED",
    "503, STORE_UNAVAILABLE",
    "504, QUERY_TIMED_OUT"
  })
  void errorsOfDruidAreToldApart(int status, ErrorCode code) {
    druid.answerWith(status, "{\"error\":\"Some name\",\"errorMessage\":\"inner secret\"}");
    ProblemException problem = failure(broker);
    assertThat(problem.code()).isEqualTo(code);
    assertThat(problem.getMessage()).doesNotContain("inner secret");
  }

  @Test
  void anAnswerThatBreaksOffIsAFailureAndNotAPart() {
    druid.answerWith(200, "[" + event(MIDNIGHT, "\"a\"", 1) + ",{\"times");
    assertThat(failure(broker, "metric.topic").code()).isEqualTo(ErrorCode.STORE_FAILED);
  }

  @Test
  void withoutDruidTheCallerIsAskedToComeBack() {
    URI address = druid.address();
    druid.close();
    ProblemException problem = failure(broker(address));
    assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    assertThat(problem.retryAfter()).isPresent();
  }

  private static ProblemException failure(DruidBroker broker, String... groupBy) {
    return catchThrowableOfType(
        ProblemException.class, () -> broker.run(TENANT, query(Granularity.PT1M, 5, groupBy)));
  }
}

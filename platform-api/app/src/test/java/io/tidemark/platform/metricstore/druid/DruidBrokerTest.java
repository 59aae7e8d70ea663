package io.tidemark.platform.metricstore.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.TestingDruid;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DruidBrokerTest {

  private static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant ONE_MINUTE_PAST = MIDNIGHT.plusSeconds(60);
  static final TenantId TENANT = new TenantId("org-a");

  private final TestingDruid druid = new TestingDruid();
  private final DruidBroker broker = broker(druid.address());

  @AfterEach
  void stop() {
    druid.close();
  }

  private static DruidBroker broker(URI address) {
    return new DruidBroker(
        new DruidHttp(HttpClient.newHttpClient(), address, Duration.ofSeconds(20)),
        (organization, source) -> Optional.empty(),
        DatasourcePlacements.NONE,
        () -> "id",
        3);
  }

  static StoreQuery query() {
    return query(Granularity.PT1M, 5);
  }

  private static StoreQuery query(Granularity granularity, int groups, String... groupBy) {
    return new StoreQuery(
        Optional.of("orders"),
        Optional.empty(),
        granularity,
        Arrays.stream(groupBy).map(LabelKey::new).toList(),
        ScanSpec.of(
            Source.MINUTES,
            IntervalSet.of(List.of(new TimeInterval(MIDNIGHT, MIDNIGHT.plusSeconds(3600))))),
        Set.of(AggregateColumn.SUM),
        new Shape.Flat(),
        groups,
        Optional.empty(),
        Lane.INTERACTIVE);
  }

  private static List<Double> sums(List<StoreRow> rows) {
    return rows.stream().map(row -> row.figures().sum).toList();
  }

  private static String event(Instant bucket, String topic, double value) {
    return """
        {"version":"v1","timestamp":"%s","event":{"group0":%s,"f_sum":%s,"rows":1}}"""
        .formatted(bucket, topic, value);
  }

  @Test
  void bucketsWithoutRowsAreLeftOutAndWhatIsNoNumberIsNone() {
    druid.answerWith(
        200,
        """
        [{"timestamp":"2026-01-01T00:00:00.000Z","result":{"f_sum":1.5,"rows":2}},
         {"timestamp":"2026-01-01T00:01:00.000Z","result":{"f_sum":0.0,"rows":0}},
         {"timestamp":"2026-01-01T00:02:00.000Z","result":{"f_sum":null,"rows":1}},
         {"timestamp":"2026-01-01T00:03:00.000Z","result":{"f_sum":"Infinity","rows":1}}]
        """);
    assertThat(sums(broker.run(TENANT, query(Granularity.PT1M, 5))))
        .containsExactly(1.5, Double.NaN, Double.NaN);
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
    List<StoreRow> rows = broker.run(TENANT, query(Granularity.PT1M, 2, "metric.topic"));
    assertThat(sums(rows)).containsExactly(1.0, 2.0, 3.0);
    assertThat(rows)
        .extracting(StoreRow::bucket)
        .containsExactly(MIDNIGHT, ONE_MINUTE_PAST, MIDNIGHT);
    assertThat(rows.get(0).labels()).containsExactly((String) null);
    assertThat(rows.get(2).labels()).containsExactly("a");
  }

  @Test
  void rowsThatAreArraysAreReadByTheirOrder() {
    druid.answerWith(
        200,
        """
        [[1767225600000,null,1.5,1],[1767225600000,"a",null,2],[1767225660000,"a",3,1],
         [1767225720000,"a",4,0],[1767225600000,"b","NaN",1]]
        """);
    List<StoreRow> rows = broker.run(TENANT, query(Granularity.PT1M, 2, "metric.topic"));
    assertThat(sums(rows)).containsExactly(1.5, Double.NaN, 3.0);
    assertThat(rows)
        .extracting(StoreRow::bucket)
        .containsExactly(MIDNIGHT, MIDNIGHT, ONE_MINUTE_PAST);
    assertThat(rows.get(0).labels()).containsExactly((String) null);
    assertThat(rows.get(2).labels()).containsExactly("a");
    assertThat(druid.queries()).singleElement().asString().contains("\"resultAsArray\":true");

    druid.answerWith(200, "[[\"a\",1.5,1],[\"b\",2.5,1]]");
    assertThat(sums(broker.run(TENANT, query(Granularity.ALL, 2, "metric.topic"))))
        .containsExactly(1.5, 2.5);
  }

  @Test
  void aLastValueComesWithItsTime() {
    druid.answerWith(
        200,
        """
        [{"timestamp":"2026-01-01T00:00:00.000Z",
          "result":{"f_last":{"lhs":1767225650000,"rhs":2.5},"rows":2}}]
        """);
    StoreQuery sums = query(Granularity.PT1M, 5);
    StoreQuery query =
        new StoreQuery(
            sums.metric(),
            sums.filter(),
            sums.granularity(),
            sums.groupBy(),
            sums.part(),
            Set.of(AggregateColumn.LAST),
            sums.shape(),
            5,
            sums.after(),
            sums.lane());
    assertThat(broker.run(TENANT, query))
        .singleElement()
        .satisfies(row -> assertThat(row.figures().last).isEqualTo(2.5))
        .satisfies(row -> assertThat(row.figures().lastAt).isEqualTo(1767225650000L));
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
  void tooManyGroupsAreTheCallersConcern() {
    druid.answerWith(500, "{\"error\":\"Resource limit exceeded\"}");
    assertThat(failure(broker).code()).isEqualTo(ErrorCode.QUERY_TOO_EXPENSIVE);
  }

  @Test
  void anEstimateIsTakenFromASample() {
    // Three minutes in the middle and three at the end, of which those at the end hold more.
    druid.answerWith(
        200,
        "["
            + String.join(
                ",", stored(30, 1), stored(31, 2), stored(57, 1), stored(58, 4), stored(59, 1))
            + "]");
    assertThat(broker.estimate(TENANT, query(Granularity.PT1M, 5))).isEqualTo(6 * 60 / 3);
    assertThat(broker.estimate(TENANT, query(Granularity.PT1M, 5))).isEqualTo(6 * 60 / 3);
    assertThat(druid.queries()).as("asked once, and remembered").hasSize(1);
    assertThat(druid.queries().get(0))
        .contains(
            "\"intervals\":[\"2026-01-01T00:30:00Z/2026-01-01T00:33:00Z\","
                + "\"2026-01-01T00:57:00Z/2026-01-01T01:00:00Z\"]",
            "\"duration\":60000");
  }

  @Test
  void anEstimateIsNotMisledByAnEmptyEnd() {
    druid.answerWith(200, "[" + stored(31, 3) + "," + stored(32, 3) + "]");
    assertThat(broker.estimate(TENANT, query(Granularity.PT1M, 5))).isEqualTo(6 * 60 / 3);
  }

  private static String stored(int minute, int rows) {
    return "{\"timestamp\":\"2026-01-01T00:%02d:00.000Z\",\"result\":{\"rows\":%d}}"
        .formatted(minute, rows);
  }

  @Test
  void anAnswerThatBreaksOffIsAFailureAndNotAPart() {
    druid.answerWith(200, "[" + event(MIDNIGHT, "\"a\"", 1) + ",{\"times");
    assertThat(failure(broker, "metric.topic").code()).isEqualTo(ErrorCode.STORE_FAILED);
  }

  @Test
  void aFullLaneIsWaitedForAsLongAsPatienceLasts() {
    DruidBroker patient =
        new DruidBroker(
            new DruidHttp(
                HttpClient.newHttpClient(),
                druid.address(),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10)),
            (organization, source) -> Optional.empty(),
            DatasourcePlacements.NONE,
            () -> "id",
            3);
    druid.answerWith(429, "{}");
    CompletableFuture<List<StoreRow>> waiting =
        CompletableFuture.supplyAsync(() -> patient.run(TENANT, query(Granularity.PT1M, 5)));
    InterruptibleDelay.until(
        "second try",
        Duration.ofSeconds(20),
        () -> Optional.of(druid.queries().size()),
        number -> number > 1);
    assertThat(waiting).isNotDone();
    druid.answerWith(
        200,
        "[{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"result\":{\"f_sum\":1.5,\"rows\":2}}]");
    assertThat(sums(waiting.join())).containsExactly(1.5);
  }

  @Test
  void whatNobodyNeedsAnyMoreIsEndedInDruid() {
    druid.answerWith(500, "{}");
    DruidBroker several =
        new DruidBroker(
            new DruidHttp(HttpClient.newHttpClient(), druid.address(), Duration.ofSeconds(20)),
            (organization, source) -> Optional.empty(),
            DatasourcePlacements.NONE,
            () -> "id",
            3,
            never -> {});
    StoreQuery query = query();
    assertThat(
            catchThrowableOfType(
                    ProblemException.class, () -> several.runAll(TENANT, List.of(query, query)))
                .code())
        .isEqualTo(ErrorCode.STORE_FAILED);
    InterruptibleDelay.until(
        "the end of the second",
        Duration.ofSeconds(20),
        () -> Optional.of(druid.ended()),
        ended -> ended.contains("id"));
    assertThat(druid.queries()).hasSize(1);
  }

  @Test
  void whoDoesNotAnswerIsNotWaitedForAndItsQueryIsEnded() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      DruidBroker broker =
          new DruidBroker(
              new DruidHttp(
                  HttpClient.newHttpClient(),
                  URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                  Duration.ofSeconds(-1)),
              (organization, source) -> Optional.empty(),
              DatasourcePlacements.NONE,
              () -> "id",
              3);
      assertThat(failure(broker).code()).isEqualTo(ErrorCode.QUERY_TIMED_OUT);
    }
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

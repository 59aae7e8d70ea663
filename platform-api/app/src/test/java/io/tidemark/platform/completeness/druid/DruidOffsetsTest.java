package io.tidemark.platform.completeness.druid;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.platform.completeness.StoreOffsets.StoreState;
import io.tidemark.platform.metricstore.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How far Druid has read, by tasks that answer as told. */
class DruidOffsetsTest {

  private static final long NEVER = Long.MAX_VALUE;

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final List<String> tasks = new ArrayList<>();
  private HttpServer server;
  private DruidOffsets offsets;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer = answers.get(exchange.getRequestURI().getPath());
          String query = exchange.getRequestURI().getQuery();
          if (query != null && query.startsWith("type=")) {
            // As an overlord that was started again answers.
            answer = "[]";
          }
          byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    offsets =
        new DruidOffsets(
            HttpClient.newHttpClient(),
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
            Source::datasource);
    unavailable(0);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void unavailable(int segments) {
    unavailable(segments, segments);
  }

  /**
   * @param counted in the coordinator's last round
   * @param lacking that nobody has and somebody should have
   */
  private void unavailable(int counted, int lacking) {
    answers.put("/druid/coordinator/v1/loadstatus", "{\"rollup_1m\":" + counted + "}");
    answers.put(
        "/druid/coordinator/v1/datasources/rollup_1m/loadstatus",
        "{\"rollup_1m\":" + lacking + "}");
  }

  /** A task of minutes, which reads two partitions alike. */
  private void task(String id, long start, long current, long end) {
    list(id, server.getAddress().getPort());
    String chat = "/druid/worker/v1/chat/" + id + "/";
    answers.put(chat + "checkpoints", "{\"3\":" + both(start) + ",\"4\":" + both(current) + "}");
    answers.put(chat + "offsets/current", both(current));
    answers.put(chat + "offsets/end", both(end));
  }

  private static String both(long offset) {
    return "{\"0\":" + offset + ",\"1\":" + offset + "}";
  }

  private void list(String id, int port) {
    // Each a second after the one before; the newest comes first, as Druid may list them.
    tasks.add(
        0,
        ("{\"id\":\"%s\",\"type\":\"index_kafka\",\"dataSource\":\"rollup_1m\",\"createdTime\":\"2026-11-21T10:00:%02d.000Z\","
                + "\"location\":{\"host\":\"127.0.0.1\",\"port\":%d}}")
            .formatted(id, tasks.size(), port));
    answers.put("/druid/indexer/v1/runningTasks", "[" + String.join(",", tasks) + "]");
  }

  private Map<Integer, Long> minutes() {
    return offsets.now().offsets().get(Source.MINUTES);
  }

  @Test
  void aSegmentThatWasReplacedBeforeItWasLoadedIsNotWaitedFor() {
    task("a", 100, 170, NEVER);
    unavailable(1, 0);
    assertThat(offsets.now().isWhole()).isTrue();
    unavailable(1, 1);
    assertThat(offsets.now().isWhole()).isFalse();
  }

  @Test
  void tasksOfOtherKindsReadNothing() {
    task("a", 100, 170, NEVER);
    tasks.add(
        "{\"id\":\"c\",\"type\":\"compact\",\"dataSource\":\"rollup_1m\",\"location\":{\"port\":-1}}");
    answers.put("/druid/indexer/v1/runningTasks", "[" + String.join(",", tasks) + "]");
    assertThat(minutes()).isEqualTo(Map.of(0, 170L, 1, 170L));
  }

  @Test
  void theOnlyTaskTellsHowFarItIs() {
    task("a", 100, 170, NEVER);
    StoreState state = offsets.now();
    assertThat(state.offsets()).isEqualTo(Map.of(Source.MINUTES, Map.of(0, 170L, 1, 170L)));
    assertThat(state.isWhole()).isTrue();
    unavailable(1);
    assertThat(offsets.now().isWhole()).isFalse();
  }

  @Test
  void theNextTaskReadsOnWhileOnePublishes() {
    task("a", 100, 200, 200);
    task("b", 200, 230, NEVER);
    assertThat(minutes()).isEqualTo(Map.of(0, 230L, 1, 230L));
  }

  @Test
  void aTaskThatPublishesAloneHasWhatItRead() {
    task("a", 100, 200, 200);
    task("b", 100, 200, 200);
    assertThat(minutes()).isEqualTo(Map.of(0, 200L, 1, 200L));
  }

  @Test
  void aTaskThatWasStoppedShortOfItsEndLeavesAGap() {
    task("a", 100, 150, 200);
    task("b", 200, 230, NEVER);
    assertThat(minutes()).isEmpty();
  }

  /** After a restart of everything both begin again, and rows between them are in neither. */
  @Test
  void tasksThatBeganAtDifferentPlacesAndBothReadOnSayNothing() {
    task("a", 100, 120, NEVER);
    task("b", 200, 230, NEVER);
    assertThat(minutes()).isEmpty();
  }

  /** One of both will be thrown away, and nobody says which. */
  @Test
  void aTaskThatReadsAgainWhatAnotherPublishesSaysNothing() {
    task("a", 100, 200, 200);
    task("b", 100, 120, NEVER);
    assertThat(minutes()).isEmpty();
    answers.put("/druid/worker/v1/chat/b/offsets/current", both(230));
    assertThat(minutes()).as("further than what is published").isEmpty();
  }

  @Test
  void aTaskThatDoesNotSayWhereItBeganSaysNothing() {
    task("a", 100, 170, NEVER);
    task("b", 100, 150, NEVER);
    answers.put("/druid/worker/v1/chat/b/checkpoints", "{}");
    assertThat(minutes()).isEmpty();
  }

  @Test
  void eachPartitionIsJudgedAlone() {
    task("a", 100, 200, 200);
    task("b", 200, 230, NEVER);
    answers.put("/druid/worker/v1/chat/b/checkpoints", "{\"3\":{\"0\":200,\"1\":150}}");
    assertThat(minutes()).isEqualTo(Map.of(0, 230L));
  }

  @Test
  void ofReplicasTheSlowerOneCounts() {
    task("a", 100, 170, NEVER);
    task("b", 100, 150, NEVER);
    assertThat(minutes()).isEqualTo(Map.of(0, 150L, 1, 150L));
  }

  /** It has neither a port nor, for some seconds after, an answer. */
  @Test
  void aTaskThatBeginsTakesNothingAwayFromTheOneItFollows() {
    task("a", 100, 200, 200);
    list("b", -1);
    assertThat(minutes()).isEqualTo(Map.of(0, 200L, 1, 200L));
    list("c", server.getAddress().getPort());
    assertThat(minutes()).isEqualTo(Map.of(0, 200L, 1, 200L));
  }

  @Test
  void ofATaskThatBeginsAloneNothingIsKnown() {
    list("a", -1);
    assertThat(minutes()).isEmpty();
    tasks.clear();
    list("b", server.getAddress().getPort());
    assertThat(minutes()).isEmpty();
  }

  /** Whether it ended well, and its rows are elsewhere, nobody says yet. */
  @Test
  void anOlderTaskThatDoesNotAnswerSaysNothing() {
    list("a", server.getAddress().getPort());
    task("b", 200, 230, NEVER);
    assertThat(minutes()).isEmpty();
  }
}

package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The process that holds the rows of the last hour dies after it has written some of them to its
 * disk: afterwards every row counts once, and until then no answer calls itself complete.
 */
@ExtendWith(RunningStack.class)
@Isolated("the indexer dies")
class LostIndexerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final String METRIC = "lost_indexer.requests";
  private static final int POINTS = 200;
  private static final int RECORDS = 60;

  private final RunningStack.Started stack = RunningStack.get();
  private final MetricsQuery query =
      new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-ledger"));
  private final Instant to =
      Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(5, ChronoUnit.MINUTES);
  private final ObjectNode question =
      MetricsQuery.body(METRIC, "COUNT", "ALL", to.minus(10, ChronoUnit.MINUTES), to, List.of());

  /** An answer and whether it says that nothing is missing. */
  private record CountedAnswer(boolean isWhole, long count) {}

  @Test
  void everyRowCountsOnceAndNoAnswerIsCompleteInBetween() throws Exception {
    send();
    CountedAnswer all = new CountedAnswer(true, POINTS);
    Await.until("all points are counted", PATIENCE, this::ask, all::equals);
    try (PersistingSupervisor persisting = new PersistingSupervisor(stack, "lost_indexer")) {
      long rows = persisting.send(RECORDS);
      Await.until("all records are read", PATIENCE, persisting::read, read -> read == RECORDS);
      Await.until(
          "rows are on the disk", PATIENCE, persisting::persisted, offset -> offset.isPresent());

      AtomicBoolean isOver = new AtomicBoolean();
      ExecutorService beside = Executors.newSingleThreadExecutor();
      try {
        Future<List<CountedAnswer>> asked = beside.submit(() -> askUntil(isOver));
        stack.stack().kill("druid-indexer");
        stack.stack().up();
        Await.until("the rows are back", PATIENCE, this::ask, all::equals);
        Await.until(
            "all records are read again", PATIENCE, persisting::read, read -> read == RECORDS);
        isOver.set(true);
        List<CountedAnswer> seen = asked.get();
        assertThat(seen).as("answers").anyMatch(answer -> !answer.isWhole());
        assertThat(seen.stream().filter(CountedAnswer::isWhole))
            .as("complete answers")
            .containsOnly(all);
      } finally {
        isOver.set(true);
        beside.shutdown();
      }
      Await.until("all rows are served", PATIENCE, persisting::counted, count -> count >= rows);
      assertThat(persisting.counted()).as("rows of all records").isEqualTo(rows);
    }
  }

  /** Minutes that are complete already, so that their rows come at once. */
  private void send() throws Exception {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      points.add(
          new Point(METRIC, Map.of("worker", "w" + i % 5), to.minusSeconds(30 + i % 120), 1));
    }
    int status =
        new OtlpSender(
                stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-ledger"))
            .send(OtlpSender.batch("lost-indexer", points).toByteArray())
            .statusCode();
    assertThat(status).isEqualTo(200);
  }

  private CountedAnswer ask() throws IOException, InterruptedException {
    JsonHttp.Answer answer = query.post("cloud", question);
    JsonNode until = answer.body().at("/meta/completeness/complete_until");
    boolean isWhole = until.isTextual() && !Instant.parse(until.asText()).isBefore(to);
    return new CountedAnswer(isWhole, answer.body().at("/data/0/value").asLong());
  }

  /** One answer after the other; an error is an answer that is not complete. */
  private List<CountedAnswer> askUntil(AtomicBoolean isOver) throws Exception {
    List<CountedAnswer> seen = new ArrayList<>();
    Await.until(
        "the end",
        PATIENCE.multipliedBy(2),
        () -> {
          seen.add(ask());
          return isOver.get();
        },
        over -> over);
    return seen;
  }
}

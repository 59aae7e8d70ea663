package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Lanes of the real broker: how many queries each takes, and what the API does when one is full.
 */
@ExtendWith(RunningStack.class)
@Isolated("lanes are full")
class LanesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** As {@code infra/druid/broker/runtime.properties} has them. */
  private static final int INTERACTIVE = 12;

  private final RunningStack.Started stack = RunningStack.get();
  private final URI broker =
      URI.create("http://" + stack.settings().ports().address("druid-broker"));
  private final JsonHttp http = new JsonHttp();
  private final Deque<HeldQuery> held = new ArrayDeque<>();
  private final MetricsQuery ledger =
      new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-ledger"));

  @AfterEach
  void letGo() throws Exception {
    while (!held.isEmpty()) {
      held.pop().close();
    }
  }

  private int ask(String lane) throws Exception {
    return http.post(broker + "/druid/v2/", HeldQuery.query(lane, 1, 1)).status();
  }

  private void fill(String lane, int number) throws Exception {
    for (int i = 0; i < number; i++) {
      held.push(
          Await.until("turn in " + lane, PATIENCE, () -> new HeldQuery(broker, lane), one -> true));
    }
    Await.until(lane + " is full", PATIENCE, () -> ask(lane), status -> status == 429);
  }

  @Test
  void aLaneTakesAsManyQueriesAsItsNumberAndAnswersTheNext429() throws Exception {
    fill("slow-lane", 2);
    held.pop().close();
    Await.until("slow-lane is free", PATIENCE, () -> ask("slow-lane"), status -> status == 200);
    fill("export", 4);
    assertThat(ask("interactive")).as("another lane").isEqualTo(200);
    held.pop().close();
    Await.until("one is free", PATIENCE, () -> ask("export"), status -> status == 200);
    fill("export", 1);
  }

  @Test
  void theApiWaitsForAFullLaneInABoundedQueue() throws Exception {
    Instant now = Instant.now();
    ObjectNode body =
        MetricsQuery.body("lanes.metric", "MAX", "PT1H", now.minusSeconds(7200), now, List.of());
    assertThat(ledger.post("cloud", body).status()).isEqualTo(200);
    fill("interactive", INTERACTIVE);

    // Of one tenant three run, which wait for Druid, and 64 wait for those; more are refused.
    int sent = 80;
    ExecutorService senders = Executors.newFixedThreadPool(sent);
    try {
      List<CompletableFuture<JsonHttp.Answer>> answers = new ArrayList<>();
      for (int i = 0; i < sent; i++) {
        answers.add(CompletableFuture.supplyAsync(() -> post(body), senders));
      }
      CompletableFuture.anyOf(answers.toArray(new CompletableFuture<?>[0])).join();
      letGo();
      int refused = 0;
      for (CompletableFuture<JsonHttp.Answer> each : answers) {
        JsonHttp.Answer answer = each.join();
        assertThat(answer.status()).as(answer.text()).isIn(200, 429, 503);
        refused += answer.status() == 429 ? 1 : 0;
      }
      assertThat(refused).isBetween(1, sent - 3);
    } finally {
      senders.shutdownNow();
    }
    Await.until(
        "an answer", PATIENCE, () -> ledger.post("cloud", body).status(), status -> status == 200);
  }

  @Test
  void whatIsNotAsDeclaredIsTold() throws Exception {
    assertThat(stack.stack().druidDrift()).isEmpty();
    String slots =
        "http://"
            + stack.settings().ports().address("druid-coordinator")
            + "/druid/coordinator/v1/config/compaction/taskslots?ratio=1.0&max=";
    http.post(slots + 3, JsonHttp.JSON.createObjectNode());
    assertThat(stack.stack().druidDrift())
        .singleElement()
        .asString()
        .contains("infra/druid/operation/compaction-slots.json", "/maxCompactionTaskSlots");
    http.post(slots + 1, JsonHttp.JSON.createObjectNode());
    assertThat(stack.stack().druidDrift()).isEmpty();
    assertThat(stack.stack().datasources())
        .extracting(one -> one.name())
        .containsExactlyInAnyOrder("rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d");
    assertThat(stack.stack().datasources()).allMatch(one -> one.unparseable() == 0);
  }

  private JsonHttp.Answer post(ObjectNode body) {
    try {
      return ledger.post("cloud", body);
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }
}

package io.tidemark.pipeline.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.Browser;
import io.tidemark.pipeline.support.Browser.Page;
import io.tidemark.pipeline.support.FirstAdministrator;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.pipeline.support.Sender;
import io.tidemark.pipeline.support.Sender.Total;
import io.tidemark.provision.EngineClient.Answer;
import io.tidemark.stack.JsonHttp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The first day of a customer, by the doors a customer has: somebody signs in and invites a
 * colleague, who makes an environment and a key; senders send with it and every total is what was
 * sent; the key is revoked, all of them are refused within five seconds, and the audit log tells
 * it.
 */
@ExtendWith(RunningStack.class)
abstract class FirstDay {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration REVOKED_WITHIN = Duration.ofSeconds(5);
  private static final int ROUNDS = 5;
  private static final String PASSWORD = FirstAdministrator.PASSWORD;
  private static final String COLLEAGUE = "colleague@example.org";

  public final RunningStack.Started stack = RunningStack.get();
  private final String api = stack.coordinates().get("TIDEMARK_URL");
  private final String site = FirstAdministrator.site(stack);
  private final Instant begin = Instant.now().truncatedTo(ChronoUnit.MINUTES);

  /** Who sends, all with that key. */
  abstract List<Sender> senders(String organization, String environment, String key)
      throws Exception;

  @Test
  void fromTheFirstSignInToARevokedKey() throws Exception {
    Browser founder = FirstAdministrator.signIn(stack);
    String organization = made(founder, "/api/v1/organizations", "display_name", "Harbour");
    String place = "/api/v1/organizations/" + organization;
    Browser colleague = join(invite(founder, place));
    made(colleague, place + "/environments", "id", "quay", "display_name", "Quay");
    String account =
        made(
            colleague, place + "/service-accounts", "display_name", "Senders", "role", "developer");
    String keys = place + "/service-accounts/" + account + "/api-keys";
    JsonNode issued = change(colleague, "POST", keys, keyDraft(), 201);
    String key = issued.path("secret").asText();

    List<Sender> senders = senders(organization, "quay", key);
    try {
      Instant sending = Instant.now();
      for (int round = 0; round < ROUNDS; round++) {
        for (Sender sender : senders) {
          assertThat(sender.send()).as("taken").doesNotContainValue(false);
        }
      }
      Instant sent = Instant.now();
      assertTotals(senders, key);
      Instant agreed = Instant.now();
      Map<String, AfterRevocation> refused =
          afterRevocation(colleague, keys + "/" + issued.at("/api_key/id").asText(), senders, key);
      System.out.printf(
          "First day: sent for %d ms, totals agreed %d ms later; after the revocation: %s%n",
          Duration.between(sending, sent).toMillis(),
          Duration.between(sent, agreed).toMillis(),
          refused);
      assertThat(refused.values())
          .allMatch(door -> door.lastTaken().compareTo(REVOKED_WITHIN) < 0, "within 5 s");
      for (Sender sender : senders) {
        assertThat(sender.send()).as("refused for good").doesNotContainValue(true);
      }
    } finally {
      for (Sender sender : senders) {
        sender.close();
      }
    }
    assertAuditLogTellsIt(founder, place);
  }

  private static String invite(Browser founder, String place) throws Exception {
    ObjectNode invitation = JsonHttp.JSON.createObjectNode().put("mail", COLLEAGUE);
    invitation.putArray("grants").addObject().put("role", "organization_admin");
    return change(founder, "POST", place + "/invitations", invitation, 201).path("link").asText();
  }

  /** Somebody without an account follows the link. */
  private Browser join(String link) throws Exception {
    Browser browser = new Browser(site);
    Page signIn = browser.send(browser.open(link), "name", "Colleague", "wanted", PASSWORD);
    Page join = browser.send(signIn, "mail", COLLEAGUE, "password", PASSWORD);
    Page joined = browser.send(join);
    assertThat(joined.text()).contains("Welcome", "Harbour");
    return browser;
  }

  private static ObjectNode keyDraft() {
    ObjectNode draft = JsonHttp.JSON.createObjectNode().put("environment_id", "quay");
    draft.putArray("scopes").add("metrics:write").add("metrics:read");
    return draft;
  }

  /** The identifier of what was made of these fields, in pairs. */
  private static String made(Browser browser, String path, String... fields) throws Exception {
    ObjectNode draft = JsonHttp.JSON.createObjectNode();
    for (int i = 0; i < fields.length; i += 2) {
      draft.put(fields[i], fields[i + 1]);
    }
    return change(browser, "POST", path, draft, 201).path("id").asText();
  }

  private static JsonNode change(
      Browser browser, String method, String path, JsonNode body, int status) throws Exception {
    Answer answer = browser.change(method, path, body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    return answer.body();
  }

  private void assertTotals(List<Sender> senders, String key) throws Exception {
    Map<String, Total> expected = new TreeMap<>();
    for (Sender sender : senders) {
      expected.putAll(sender.sent());
    }
    assertThat(expected).hasSizeGreaterThanOrEqualTo(senders.size());
    MetricsQuery query = new MetricsQuery(api, "Bearer " + key);
    Await.until(
        "totals " + expected,
        PATIENCE,
        () -> {
          Map<String, Total> read = new TreeMap<>();
          for (String metric : expected.keySet()) {
            read.put(
                metric,
                new Total(total(query, metric, "SUM"), (long) total(query, metric, "COUNT")));
          }
          return read;
        },
        expected::equals);
  }

  /** Of all points, also of gauges. */
  private double total(MetricsQuery query, String metric, String aggregation) throws Exception {
    ObjectNode body =
        MetricsQuery.body(
            metric, aggregation, "ALL", begin, begin.plus(1, ChronoUnit.HOURS), List.of());
    if (aggregation.equals("SUM")) {
      ((ObjectNode) body.at("/aggregations/0")).put("time_agg", "SUM");
    }
    return query.ask("cloud", body).values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * What became of attempts after the key was revoked, in time since that was answered.
   *
   * @param lastTaken when the last attempt that was taken began; zero for none
   * @param refused when the first refusal was heard
   */
  private record AfterRevocation(Duration lastTaken, Duration refused) {}

  /** By door. */
  private Map<String, AfterRevocation> afterRevocation(
      Browser colleague, String path, List<Sender> senders, String key) throws Exception {
    change(colleague, "DELETE", path, null, 204);
    long revoked = System.nanoTime();
    JsonHttp http = new JsonHttp();
    Callable<Map<String, Boolean>> reading =
        () ->
            Map.of(
                "metrics api",
                http.get(api + "/v2/metrics/cloud/descriptors/metrics", "Bearer " + key).status()
                    != 401);
    List<Callable<Map<String, AfterRevocation>>> waiting = new ArrayList<>();
    waiting.add(() -> untilRefused(revoked, reading));
    for (Sender sender : senders) {
      waiting.add(() -> untilRefused(revoked, sender::send));
    }
    ExecutorService threads = Executors.newFixedThreadPool(waiting.size());
    try {
      Map<String, AfterRevocation> told = new TreeMap<>();
      for (Future<Map<String, AfterRevocation>> each :
          threads.invokeAll(waiting, 2, TimeUnit.MINUTES)) {
        told.putAll(each.get());
      }
      return told;
    } finally {
      threads.shutdownNow();
    }
  }

  private static Map<String, AfterRevocation> untilRefused(
      long revoked, Callable<Map<String, Boolean>> attempt) throws Exception {
    Map<String, Duration> lastTaken = new TreeMap<>();
    Map<String, AfterRevocation> refused = new TreeMap<>();
    boolean isOver = false;
    while (!isOver) {
      Duration begun = Duration.ofNanos(System.nanoTime() - revoked);
      Map<String, Boolean> taken = attempt.call();
      Duration heard = Duration.ofNanos(System.nanoTime() - revoked);
      taken.forEach(
          (door, isTaken) -> {
            if (isTaken) {
              lastTaken.put(door, begun);
              refused.remove(door);
            } else {
              refused.putIfAbsent(
                  door, new AfterRevocation(lastTaken.getOrDefault(door, Duration.ZERO), heard));
            }
          });
      isOver = refused.size() == taken.size();
    }
    return refused;
  }

  private void assertAuditLogTellsIt(Browser founder, String place) throws Exception {
    List<String> told = new ArrayList<>();
    JsonNode log = founder.get(place + "/audit-log").body();
    log.path("data")
        .forEach(entry -> told.add(0, entry.path("action").asText() + " " + outcome(entry)));
    assertThat(told)
        .as(log.toString())
        .containsSubsequence(
            "organization.create done",
            "invitation.create done",
            "invitation.accept done",
            "environment.create done",
            "service_account.create done",
            "api_key.create done",
            "api_key.revoke done");
    assertThat(founder.get(place + "/audit-log/verification").body().path("intact").asBoolean())
        .isTrue();
  }

  private static String outcome(JsonNode entry) {
    return entry.path("outcome").asText();
  }
}

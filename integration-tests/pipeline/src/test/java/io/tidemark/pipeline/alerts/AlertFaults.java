package io.tidemark.pipeline.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.alerts.AlertFaultRule.Comparison;
import io.tidemark.pipeline.alerts.AlertStream.Wave;
import io.tidemark.pipeline.alerts.AlertVerdict.RuleInForce;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code make test-alert-faults}: generated rules over a generated stream of which parts are late,
 * missing and revised, while processes are killed, the alert job is rescaled and upgraded, and
 * rules are changed. At the end transitions, incidents and webhooks are those that {@link
 * AlertTruth} computes from the acknowledged points: none missed, none doubled, no flap, and
 * revised is what late points changed.
 *
 * <p>With {@code -Dalerts.control=true} the truth leaves late points out and a transition is
 * written to the topic a second time under another identifier: the test must fail, with groups that
 * were revised for nothing and one that is doubled.
 */
@ExtendWith(RunningStack.class)
class AlertFaults {
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private static final Duration BROKEN = Duration.ofSeconds(100);
  private static final Duration LONGEST = Duration.ofMinutes(55);
  private static final int MAX_SHOWN = 20;
  private static final int RESCALED = 2;

  /** Minutes after the stream's end that are compared too: absence and no data show there. */
  private static final int AFTER_END = 3;

  /** What is done to the stack, or to rules, while points flow. */
  private enum Step {
    KILL_TASKMANAGER,
    KILL_JOBMANAGER,
    KILL_PLATFORM_API,
    KILL_KAFKA,
    RESCALE,
    UPGRADE,
    CHANGE_RULES,
    DISABLE_AND_ENABLE
  }

  /** A rule that is disabled and enabled again while its incident is open. */
  private record ToggledRule(String id, Instant disabled, Instant enabledFrom) {}

  private final RunningStack.Started stack = RunningStack.get();
  private final JsonHttp json = new JsonHttp();
  private final String authorization = stack.authorization("org-demo");
  private final AlertApi api = new AlertApi(stack.coordinates().get("TIDEMARK_URL"), authorization);
  private final IncidentMessages incidentMessages = new IncidentMessages(api);
  private final long seed = Long.getLong("alerts.seed", System.nanoTime() % 1_000_000);
  private final int number = Integer.getInteger("alerts.rules", 500);
  private final int minutes = Integer.getInteger("alerts.minutes", 9);
  private final boolean isControl = Boolean.getBoolean("alerts.control");
  private final Random random = new Random(seed);
  private final List<RuleInForce> rules = new ArrayList<>();
  private final List<ToggledRule> toggled = new ArrayList<>();
  private long decided;
  private int kills;

  @Test
  void whatIsToldOfAlertsIsTrueAfterKillsRescaleAndUpgrade() throws Exception {
    tell(
        "seed %d, %d rules, %d minutes; again with: make test-alert-faults SEED=%d RULES=%d"
            + " MINUTES=%d%s",
        seed, number, minutes, seed, number, minutes, isControl ? " CONTROL=1" : "");
    try (WebhookReceiver steady = new WebhookReceiver();
        WebhookReceiver broken = new WebhookReceiver()) {
      integrate("Steady", steady);
      integrate("Broken for some time", broken);
      long begin = makeRules();
      tell("%d rules are made", rules.size() + toggled.size());
      OtlpSender sender =
          new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), authorization);
      try (AlertStream stream =
          new AlertStream(sender, random.nextLong(), begin, this::decidedUntil, LONGEST)) {
        Await.until(
            "the first minutes are decided",
            PATIENCE,
            this::decidedUntil,
            until -> until >= begin + 2);
        strike(broken);
        long horizon = finish(stream);
        stream.close();
        if (isControl) {
          tellAgain();
        }
        judge(stream, horizon, steady, broken);
      }
    }
  }

  private void strike(WebhookReceiver broken) throws Exception {
    Instant began = Instant.now();
    List<Step> steps = new ArrayList<>(Arrays.asList(Step.values()));
    Collections.shuffle(steps, random);
    int rescale = steps.indexOf(Step.RESCALE);
    int upgrade = steps.indexOf(Step.UPGRADE);
    if (upgrade < rescale) {
      // The upgrade is of the job that was rescaled.
      Collections.swap(steps, rescale, upgrade);
    }
    broken.breakDown();
    for (Step step : steps) {
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(2_000 * minutes)).toNanos());
      Instant before = Instant.now();
      take(step);
      tell("%s took %.1f s", step, Duration.between(before, Instant.now()).toMillis() / 1e3);
      if (Duration.between(began, Instant.now()).compareTo(BROKEN) > 0
          && !broken.refused().isEmpty()) {
        broken.repair();
      }
    }
    broken.repair();
    Instant until = began.plus(minutes, ChronoUnit.MINUTES);
    Await.until(
        "the stream's minutes are over",
        Duration.ofMinutes(minutes + 1),
        Instant::now,
        until::isBefore);
  }

  private void take(Step step) throws Exception {
    switch (step) {
      case KILL_TASKMANAGER -> kill("flink-taskmanager");
      case KILL_JOBMANAGER -> kill("flink-jobmanager");
      case KILL_PLATFORM_API -> kill("platform-api");
      case KILL_KAFKA -> kill("kafka");
      case RESCALE ->
          replaceJob(
              text ->
                  text.replaceFirst(
                      "(name: alert\\s(?:.*\\n){1,3}?\\s*parallelism: )1", "$1" + RESCALED));
      case UPGRADE ->
          replaceJob(
              text ->
                  text.replaceFirst(
                      "(name: alert\\s(?:.*\\n)*?\\s*checkpoint.interval.ms: )\"10000\"",
                      "$1\"9000\""));
      case CHANGE_RULES -> changeRules();
      case DISABLE_AND_ENABLE -> disableAndEnable();
    }
  }

  private void kill(String component) throws Exception {
    Instant killed = Instant.now();
    kills++;
    stack.stack().kill(component);
    Await.until(
        component + " is down",
        PATIENCE,
        () -> stack.stack().status(component).state(),
        "down"::equals);
    stack.stack().up();
    awaitCheckpointSince(killed);
    Await.until("the API answers", PATIENCE, () -> api.rule(rules.get(0).id()), JsonNode::isObject);
  }

  /** The next version of the alert job goes on from a savepoint of the one before. */
  private void replaceJob(UnaryOperator<String> change) throws Exception {
    Path jobs = stack.settings().root().resolve(RunningStack.JOBS);
    String text = Files.readString(jobs);
    String changed = change.apply(text);
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(jobs, changed);
    String before = alertJob().path("jid").asText();
    Instant replaced = Instant.now();
    stack.stack().up();
    String after = alertJob().path("jid").asText();
    assertThat(after).as("the alert job is another").isNotEqualTo(before);
    JsonNode restored =
        Await.until(
            "what the alert job began with",
            PATIENCE,
            () -> flink("/jobs/" + after + "/checkpoints").at("/latest/restored"),
            JsonNode::isObject);
    assertThat(restored.path("is_savepoint").asBoolean()).as("a savepoint: " + restored).isTrue();
    awaitCheckpointSince(replaced);
  }

  private JsonNode flink(String path) throws IOException, InterruptedException {
    return json.get(stack.coordinates().get("TIDEMARK_FLINK") + path).body();
  }

  private JsonNode alertJob() throws InterruptedException {
    return Await.until(
        "the alert job runs",
        PATIENCE,
        () -> {
          for (JsonNode job : flink("/jobs/overview").path("jobs")) {
            if (job.path("name").asText().contains("alert")
                && job.path("state").asText().equals("RUNNING")) {
              return job;
            }
          }
          return JsonHttp.JSON.nullNode();
        },
        JsonNode::isObject);
  }

  private void awaitCheckpointSince(Instant moment) throws InterruptedException {
    Await.until(
        "a checkpoint of the alert job",
        PATIENCE,
        () -> {
          String job = alertJob().path("jid").asText();
          for (JsonNode one : flink("/jobs/" + job + "/checkpoints").path("history")) {
            if (one.path("trigger_timestamp").asLong() > moment.toEpochMilli()
                && one.path("status").asText().equals("COMPLETED")) {
              return true;
            }
          }
          return false;
        },
        done -> done);
  }

  /** Every tenth rule gets other thresholds, every tenth another annotation. */
  private void changeRules() throws Exception {
    for (int i = 0; i < rules.size(); i++) {
      RuleInForce before = rules.get(i);
      if (i % 10 == 3) {
        Comparison moved = before.rule().moved(0);
        long from = api.put(before.id(), before.rule().draft(moved, "Moved"));
        rules.set(
            i,
            new RuleInForce(
                before.rule(),
                before.id(),
                List.of(before.comparisons().get(0), before.rule().moved(from))));
      } else if (i % 10 == 6) {
        api.put(
            before.id(), before.rule().draft(before.comparisons().get(0), "Reworded {{value}}"));
      }
    }
  }

  private void disableAndEnable() throws Exception {
    for (int i = 0; i < toggled.size(); i++) {
      String id = toggled.get(i).id();
      Await.until(
          "an open incident of " + id, PATIENCE, () -> api.incidents(id), all -> all.size() == 1);
      Instant disabled = Instant.now();
      api.put(id, steadyRule(i).put("enabled", false));
      long from = api.put(id, steadyRule(i));
      toggled.set(
          i,
          new ToggledRule(id, disabled, Instant.ofEpochSecond(from * AlertStream.MINUTE_SECONDS)));
    }
  }

  /** Fires in its second minute for one of two groups, and never for the other. */
  private static ObjectNode steadyRule(int number) {
    ObjectNode draft = JsonHttp.JSON.createObjectNode();
    draft.put("name", "Steady " + number).put("severity", "warning");
    draft.putObject("labels").put("suite", "faults");
    ObjectNode condition = draft.putObject("condition");
    condition
        .put("metric", AlertStream.STEADY)
        .put("aggregation", "max")
        .put("operator", "gte")
        .put("threshold", AlertStream.STEADY_HIGH_VALUE - 1 - number)
        .put("for_minutes", 2);
    condition.withArray("group_by").add("metric.queue");
    return draft;
  }

  private void integrate(String name, WebhookReceiver receiver) throws Exception {
    JsonNode made =
        api.ask(
            "POST",
            "/integrations",
            """
            {"name":"%s","kind":"webhook","url":"%s","send_test":false,"labels":{"suite":"faults"}}
            """
                .formatted(name, receiver.url()),
            201);
    receiver.verifyWith(made.path("secret").asText());
  }

  /** Returns the first minute that all of them decide. */
  private long makeRules() throws Exception {
    long begin = 0;
    for (int i = 0; i < number; i++) {
      AlertFaultRule rule = AlertFaultRule.random(i, random);
      JsonNode made =
          api.ask("POST", "/alert-rules", rule.draft(rule.comparison(), "Made").toString(), 201);
      begin = Math.max(begin, AlertApi.minute(made.path("effective_from")));
      rules.add(new RuleInForce(rule, made.path("id").asText(), List.of(rule.comparison())));
      api.pause();
    }
    for (int i = 0; i < 2; i++) {
      JsonNode made = api.ask("POST", "/alert-rules", steadyRule(i).toString(), 201);
      begin = Math.max(begin, AlertApi.minute(made.path("effective_from")));
      toggled.add(new ToggledRule(made.path("id").asText(), null, null));
    }
    return begin;
  }

  /** As far as the API said by now; it may be further. */
  private synchronized long decidedUntil() {
    try {
      JsonNode until = api.rule(rules.get(0).id()).at("/evaluation/decided_until");
      if (!until.isMissingNode()) {
        decided = Math.max(decided, AlertApi.minute(until));
      }
    } catch (IOException down) {
      // It stays what it was.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return decided;
  }

  /** Waits until everything up to the minute that is returned is decided, late points too. */
  private long finish(AlertStream stream) throws Exception {
    stream.finish();
    Instant settled =
        Await.until(
            "the last late points are acknowledged",
            PATIENCE,
            stream::settled,
            when -> when != null);
    long horizon = stream.end() + AFTER_END;
    // Rows of late points come before those of the minutes in which they were sent.
    long last =
        Math.max(horizon, Math.floorDiv(settled.getEpochSecond(), AlertStream.MINUTE_SECONDS) + 2);
    tell(
        "the stream has %d minutes; decided are to be %d",
        stream.end() - stream.begin(), last - stream.begin());
    Await.until("all rules are decided", PATIENCE, () -> api.rulesBefore(last), List::isEmpty);
    return horizon;
  }

  /** The control: a transition that was told is written once more, under another identifier. */
  private void tellAgain() throws Exception {
    TransitionRecord fired =
        transitions().stream()
            .filter(told -> told.kind() == TransitionRecord.Kind.FIRED && !told.early())
            .findFirst()
            .orElseThrow();
    String other = new StringBuilder(fired.id()).reverse().toString();
    byte[] again =
        new String(fired.record(), StandardCharsets.ISO_8859_1)
            .replace(fired.id(), other)
            .getBytes(StandardCharsets.ISO_8859_1);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stack.coordinates().get("TIDEMARK_KAFKA")),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      String key = "org-demo/env-demo/" + fired.ruleId() + "/" + fired.groupId();
      producer
          .send(
              new ProducerRecord<>(
                  TransitionRecord.TOPIC, key.getBytes(StandardCharsets.UTF_8), again))
          .get();
    }
    tell("control: told again under another identifier: %s", fired);
  }

  /** Of the rules of this run. */
  private List<TransitionRecord> transitions() throws IOException {
    Set<String> ids = rules.stream().map(RuleInForce::id).collect(Collectors.toSet());
    return TransitionRecord.all(stack.coordinates().get("TIDEMARK_KAFKA")).stream()
        .filter(told -> ids.contains(told.ruleId()))
        .toList();
  }

  private void judge(
      AlertStream stream, long horizon, WebhookReceiver steady, WebhookReceiver broken)
      throws Exception {
    Set<String> ofIncidents = new HashSet<>();
    List<TransitionRecord> transitions = writtenDown(horizon, ofIncidents);
    List<JsonNode> exported = api.export();
    ofIncidents.clear();
    exported.forEach(incident -> ofIncidents.addAll(IncidentMessages.events(incident)));
    tell(
        "%d transitions; waiting for messages of %d events",
        transitions.size(), ofIncidents.size());
    List<String> deliveries = incidentMessages.faults(ofIncidents, steady, broken);

    List<Wave> waves = new ArrayList<>(stream.waves());
    long uncertain = waves.stream().filter(wave -> !wave.isSurelyLate()).count();
    if (isControl) {
      waves.removeIf(Wave::isSurelyLate);
    }
    AlertVerdict verdict = new AlertVerdict(stream.begin(), horizon, stream.inTime(), waves);
    verdict.compareSequences(transitions);
    Map<String, List<TransitionRecord>> told =
        transitions.stream().collect(Collectors.groupingBy(TransitionRecord::ruleId));
    Map<String, List<JsonNode>> stored =
        exported.stream()
            .collect(Collectors.groupingBy(incident -> incident.path("rule_id").asText()));
    for (RuleInForce rule : rules) {
      verdict.compare(
          rule, told.getOrDefault(rule.id(), List.of()), stored.getOrDefault(rule.id(), List.of()));
    }
    List<String> changes = new ArrayList<>();
    for (ToggledRule rule : toggled) {
      changes.addAll(faultsOf(rule, stored.getOrDefault(rule.id(), List.of()), stream.begin()));
    }

    Map<String, List<String>> faults = new LinkedHashMap<>();
    faults.put("missed", verdict.missed());
    faults.put("doubled", verdict.doubled());
    faults.put("flaps", verdict.flaps());
    faults.put("revisions", verdict.revisions());
    faults.put("changed rules", changes);
    faults.put("messages", deliveries);
    faults.forEach(
        (name, lines) ->
            lines.stream().limit(MAX_SHOWN).forEach(line -> tell("%s: %s", name, line)));
    ReceivedMessages messages = new ReceivedMessages("steady", steady.received());
    tell(
        "seed %d: %d rules, %d groups, %d incidents, %d early, %d kills, rescale, upgrade: %d missed,"
            + " %d doubled, %d flaps, %d groups revised (%d had to), %d messages (%d came again,"
            + " %d refused), %d waves late and %d of unknown time",
        seed,
        rules.size() + toggled.size(),
        verdict.groups(),
        verdict.incidents(),
        verdict.early(),
        kills,
        verdict.missed().size(),
        verdict.doubled().size(),
        verdict.flaps().size(),
        verdict.revised(),
        verdict.hadTo(),
        messages.size(),
        messages.repeated(),
        broken.refused().size(),
        stream.waves().size() - uncertain,
        uncertain);
    faults.forEach((name, lines) -> assertThat(lines).as(name + ", seed " + seed).isEmpty());
    assertThat(verdict.incidents()).as("true incidents").isGreaterThan(rules.size() / 2);
    assertThat(verdict.hadTo()).as("groups that had to be revised").isPositive();
    assertThat(broken.refused()).as("messages that were refused").isNotEmpty();
  }

  /** Waits until incidents have what the topic has. */
  private List<TransitionRecord> writtenDown(long horizon, Set<String> found) throws Exception {
    long from = System.nanoTime();
    while (true) {
      List<TransitionRecord> before = transitions();
      found.clear();
      api.export().forEach(incident -> found.addAll(IncidentMessages.events(incident)));
      List<TransitionRecord> after = transitions();
      boolean isAll =
          before.stream()
              .filter(told -> !told.incidentId().isEmpty() && !told.early())
              .allMatch(told -> found.contains(told.id()));
      // What is missing after so long is missed, and is said so.
      boolean isTooLong = System.nanoTime() - from > PATIENCE.toNanos();
      if (before.size() == after.size() && (isAll || isTooLong)) {
        return after;
      }
      LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
    }
  }

  /** The incident that was open ends with the rule; enabled again, the rule begins another. */
  private static List<String> faultsOf(ToggledRule rule, List<JsonNode> incidents, long begin) {
    List<JsonNode> inOrder = new ArrayList<>(incidents);
    inOrder.sort(
        (one, other) ->
            one.path("started_at").asText().compareTo(other.path("started_at").asText()));
    long enabled = Math.floorDiv(rule.enabledFrom().getEpochSecond(), AlertStream.MINUTE_SECONDS);
    List<String> faults = new ArrayList<>();
    boolean isRight =
        inOrder.size() == 2
            && AlertApi.minute(inOrder.get(0).path("started_at")) == begin + 1
            && inOrder.get(0).path("state").asText().equals("resolved")
            && !Instant.parse(inOrder.get(0).path("ended_at").asText()).isBefore(rule.disabled())
            && Instant.parse(inOrder.get(0).path("ended_at").asText()).isBefore(rule.enabledFrom())
            && AlertApi.minute(inOrder.get(1).path("started_at")) == enabled + 1
            && inOrder.get(1).path("state").asText().equals("open");
    if (!isRight) {
      faults.add(
          rule
              + " has not one incident from the second minute on, and one from the second minute"
              + " after it was enabled: "
              + inOrder);
    }
    return faults;
  }

  private static void tell(String format, Object... values) {
    System.out.println(
        "ALERT FAULTS "
            + Instant.now().truncatedTo(ChronoUnit.SECONDS)
            + " "
            + format.formatted(values));
  }
}

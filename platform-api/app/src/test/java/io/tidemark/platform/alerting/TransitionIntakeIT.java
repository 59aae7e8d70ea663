package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** The transitions of one poll leave what they leave one after the other. */
@ExtendWith(RunningPlatform.Extension.class)
class TransitionIntakeIT {

  private static final TenantId DEMO = new TenantId("org-demo");

  /** What can be seen of an environment, without its name; times of the wall clock are left out. */
  private static final List<String> VISIBLE =
      List.of(
          """
          SELECT concat_ws(' ', 'incident', replace(id, :environment, ''), severity, state,
            alert_state, group_labels, annotations, started_at, ended_at, value, threshold, is_told,
            left(suppressed_by, 3), is_early, version)
          FROM incident WHERE environment_id = :environment ORDER BY number
          """,
          """
          SELECT concat_ws(' ', 'event', replace(e.incident_id, :environment, ''), e.kind,
            replace((detail - 'suppressedBy')::text, :environment, ''),
            left(detail ->> 'suppressedBy', 3))
          FROM incident_event AS e
          JOIN incident AS i ON i.organization_id = e.organization_id AND i.id = e.incident_id
          WHERE i.environment_id = :environment ORDER BY e.number
          """,
          """
          SELECT concat_ws(' ', 'message', replace(d.transition_id, :environment, ''), d.type,
            body::jsonb -> 'data' -> 'sequence', body::jsonb -> 'data' -> 'state')
          FROM delivery AS d
          JOIN integration AS i ON i.organization_id = d.organization_id AND i.id = d.integration_id
          WHERE i.environment_id = :environment ORDER BY d.number
          """,
          """
          SELECT concat_ws(' ', 'group', replace(group_id, :environment, ''), labels, state, since,
            decided_minute, value, reason, sequence)
          FROM alert_group WHERE environment_id = :environment
          ORDER BY replace(group_id, :environment, '')
          """,
          """
          SELECT concat_ws(' ', 'transition', replace(id, :environment, ''))
          FROM alert_transition WHERE environment_id = :environment
          ORDER BY transaction_id, number
          """);

  private final RunningPlatform platform;
  private final ControlApi demo;

  TransitionIntakeIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private String made(String path, String body) {
    Answer answer = demo.post(path, body);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
    return answer.body().path("id").asString();
  }

  private String environment(String id) {
    made("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id));
    String place = "/environments/" + id;
    made(place + "/integrations", TestingAlerts.INTEGRATION.replace("}", ",\"send_test\":false}"));
    return place;
  }

  private String rule(String place, String severity) {
    return made(place + "/alert-rules", TestingAlerts.RULE.replace("critical", severity));
  }

  private List<String> visible(String environment) {
    List<String> rows = new ArrayList<>();
    for (String sql : VISIBLE) {
      rows.addAll(
          platform
              .database()
              .sql(sql)
              .param("environment", environment)
              .query(String.class)
              .list());
    }
    return rows;
  }

  private void poll(List<AlertTransition> transitions) {
    platform.bean(TransitionIntake.class).record(transitions);
  }

  private static AlertTransition of(
      String environment, String rule, String incident, long sequence, Kind kind) {
    return TestingAlerts.transition(
        DEMO, environment, rule, environment + incident, sequence, kind);
  }

  private static List<AlertTransition> random(
      Random random, String environment, List<String> rules, int from) {
    List<AlertTransition> transitions = new ArrayList<>();
    for (int i = from; i < from + 60; i++) {
      int rule = random.nextInt(rules.size());
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      AlertTransition transition =
          of(environment, rules.get(rule), "-" + rule + random.nextInt(4), i, kind);
      transitions.add(
          switch (random.nextInt(8)) {
            case 0 -> TestingAlerts.early(transition);
            case 1 -> TestingAlerts.released(transition);
            default -> transition;
          });
      if (random.nextInt(8) == 0) {
        transitions.add(transitions.get(random.nextInt(transitions.size())));
      }
    }
    return transitions;
  }

  @Test
  void aPollLeavesWhatItsTransitionsLeaveOneByOne() {
    TransitionRecorder oneByOne = platform.bean(TransitionRecorder.class);
    String end = platform.bean(Clock.class).instant().plus(Duration.ofHours(1)).toString();
    for (int round = 0; round < 5; round++) {
      List<List<String>> seen = new ArrayList<>();
      for (String environment : List.of("env-single-" + round, "env-polled-" + round)) {
        String place = environment(environment);
        List<String> rules = List.of(rule(place, "critical"), rule(place, "warning"));
        Random random = new Random(round);
        for (int part = 0; part < 2; part++) {
          List<AlertTransition> transitions = random(random, environment, rules, 100 * part);
          if (environment.startsWith("env-single")) {
            transitions.forEach(oneByOne::record);
          } else {
            poll(transitions);
            poll(transitions);
          }
          if (part == 0) {
            made(
                place + "/silences",
                """
                {"comment":"x","ends_at":"%s",
                 "matchers":[{"label":"severity","operator":"eq","value":"warning"}]}
                """
                    .formatted(end));
          }
        }
        seen.add(visible(environment));
      }

      assertThat(seen.get(0))
          .as("of every kind")
          .anyMatch(row -> row.startsWith("incident"))
          .anyMatch(row -> row.startsWith("event") && row.endsWith("sil"))
          .anyMatch(row -> row.startsWith("message"))
          .anyMatch(row -> row.startsWith("group"));
      assertThat(seen.get(1)).containsExactlyElementsOf(seen.get(0));
    }
  }

  @Test
  void incidentsOfAPollInhibitThoseAfterThem() {
    String place = environment("env-polled-inhibition");
    String source = rule(place, "critical");
    String target = rule(place, "warning");
    String inhibition =
        made(
            place + "/inhibitions",
            """
            {"name":"Critical before warning","equal":["metric.queue"],
             "source":[{"label":"severity","operator":"eq","value":"critical"}],
             "target":[{"label":"severity","operator":"eq","value":"warning"}]}
            """);
    String environment = "env-polled-inhibition";

    poll(
        List.of(
            of(environment, target, "-before", 1, Kind.FIRED),
            of(environment, source, "-source", 1, Kind.FIRED),
            of(environment, target, "-while", 1, Kind.FIRED),
            of(environment, target, "-while", 2, Kind.RESOLVED),
            of(environment, source, "-source", 2, Kind.RESOLVED),
            of(environment, target, "-after", 1, Kind.FIRED)));

    assertThat(suppressor(place, environment + "-before")).isEmpty();
    assertThat(suppressor(place, environment + "-while")).isEqualTo(inhibition);
    assertThat(suppressor(place, environment + "-after")).isEmpty();
    assertThat(visible(environment).stream().filter(row -> row.startsWith("message")))
        .containsExactly(
            "message -before-1 incident.fired 1 \"open\"",
            "message -source-1 incident.fired 1 \"open\"",
            "message -source-2 incident.resolved 2 \"resolved\"",
            "message -after-1 incident.fired 1 \"open\"");
  }

  private String suppressor(String place, String incident) {
    return demo.get(place + "/incidents/" + incident).body().path("suppressed_by").asString();
  }

  @Test
  void aTransitionThatTheDatabaseRefusesIsLoggedAndTheOthersAreRecorded() {
    String place = environment("env-polled-bad");
    String rule = rule(place, "critical");
    String environment = "env-polled-bad";
    List<AlertTransition> transitions = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      transitions.add(of(environment, rule, "-" + i, 1, Kind.FIRED));
      transitions.add(of(environment, rule, "-" + i, 2, Kind.CORRECTED));
    }
    AlertTransition bad =
        TestingAlerts.inState(of(environment, rule, "-bad", 1, Kind.FIRED), "unspecified");
    transitions.add(13, bad);

    List<String> logged = loggedBy(() -> poll(transitions));

    assertThat(visible(environment).stream().filter(row -> row.startsWith("transition")))
        .containsExactlyElementsOf(
            transitions.stream()
                .filter(transition -> transition != bad)
                .map(transition -> "transition " + transition.id().substring(environment.length()))
                .toList());
    assertThat(demo.get(place + "/incidents?limit=100").body().path("data")).hasSize(20);
    assertThat(logged).anyMatch(line -> line.startsWith("Transition " + bad.id()));
  }

  private static List<String> loggedBy(Runnable action) {
    Logger logger = (Logger) LoggerFactory.getLogger(TransitionIntake.class);
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    logger.addAppender(appender);
    try {
      action.run();
    } finally {
      logger.detachAppender(appender);
    }
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}

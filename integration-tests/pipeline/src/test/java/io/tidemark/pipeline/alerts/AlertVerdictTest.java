package io.tidemark.pipeline.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.alerts.AlertStream.Point;
import io.tidemark.pipeline.alerts.AlertStream.Wave;
import io.tidemark.pipeline.alerts.AlertVerdict.RuleInForce;
import io.tidemark.pipeline.alerts.TransitionRecord.Kind;
import io.tidemark.stack.JsonHttp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The first minute is 100; 101 is beyond the threshold, and with a late point 103 too. */
class AlertVerdictTest {
  private static final long BEGIN = 100;
  private static final long HORIZON = 105;

  private static final AlertFaultRule RULE =
      new AlertFaultRule(
          1,
          "threshold",
          AlertStream.LEVEL,
          "max",
          List.of(),
          "",
          1,
          0,
          false,
          "",
          0,
          "gt",
          10,
          10,
          0,
          0,
          3,
          false);
  private static final RuleInForce IN_FORCE =
      new RuleInForce(RULE, "rule-1", List.of(RULE.comparison()));

  private static final List<Point> IN_TIME =
      List.of(point(100, 1), point(101, 11), point(102, 1), point(103, 1), point(104, 1));
  private static final Wave LATE = new Wave(105, List.of(point(103, 12)));

  private static final TransitionRecord FIRED = told(1, Kind.FIRED, "a", 101, 0, false);
  private static final TransitionRecord RESOLVED = told(2, Kind.RESOLVED, "a", 101, 102, false);
  private static final TransitionRecord FOUND = told(3, Kind.FIRED, "b", 103, 0, true);
  private static final TransitionRecord ENDED = told(4, Kind.RESOLVED, "b", 103, 104, true);

  private static Point point(long minute, long value) {
    return new Point(
        AlertStream.LEVEL,
        "q0",
        "z0",
        Instant.ofEpochSecond(minute * AlertStream.MINUTE_SECONDS + value),
        value);
  }

  private static TransitionRecord told(
      long sequence, Kind kind, String incident, long since, long until, boolean revised) {
    return new TransitionRecord(
        new byte[0],
        "t" + sequence,
        "rule-1",
        "group",
        Map.of(),
        sequence,
        kind,
        incident,
        since,
        until == 0 ? AlertTruth.OPEN : until,
        false,
        revised);
  }

  private static JsonNode incident(String id, long start, long end, String... transitions) {
    ObjectNode incident = JsonHttp.JSON.createObjectNode();
    incident.put("id", id).put("state", "resolved").putObject("group");
    incident
        .put("started_at", Instant.ofEpochSecond(start * AlertStream.MINUTE_SECONDS).toString())
        .put("ended_at", Instant.ofEpochSecond(end * AlertStream.MINUTE_SECONDS).toString());
    for (String transition : transitions) {
      incident.withArray("timeline").addObject().put("transition_id", transition);
    }
    return incident;
  }

  private static final JsonNode FIRST = incident("a", 101, 102, "t1", "t2");
  private static final JsonNode SECOND = incident("b", 103, 104, "t3", "t4");

  private static AlertVerdict verdict(
      List<Wave> waves, List<TransitionRecord> transitions, List<JsonNode> incidents) {
    AlertVerdict verdict = new AlertVerdict(BEGIN, HORIZON, IN_TIME, waves);
    verdict.compareSequences(transitions);
    verdict.compare(IN_FORCE, transitions, incidents);
    return verdict;
  }

  @Test
  void whatIsTrueHasNoFaults() {
    AlertVerdict verdict =
        verdict(List.of(LATE), List.of(FIRED, RESOLVED, FOUND, ENDED), List.of(FIRST, SECOND));
    assertThat(verdict.missed()).isEmpty();
    assertThat(verdict.doubled()).isEmpty();
    assertThat(verdict.flaps()).isEmpty();
    assertThat(verdict.revisions()).isEmpty();
    assertThat(verdict.revised()).isEqualTo(1);
    assertThat(verdict.hadTo()).isEqualTo(1);
    assertThat(verdict.incidents()).isEqualTo(2);
  }

  @Test
  void anIncidentThatNobodyToldIsMissed() {
    AlertVerdict verdict = verdict(List.of(LATE), List.of(FIRED, RESOLVED), List.of(FIRST));
    assertThat(verdict.missed()).hasSize(2);
    assertThat(verdict.revisions()).as("late points changed it").hasSize(1);
  }

  @Test
  void aTransitionThatIsNotWrittenDownIsMissed() {
    assertThat(
            verdict(List.of(), List.of(FIRED, RESOLVED), List.of(incident("a", 101, 102, "t1")))
                .missed())
        .hasSize(1);
  }

  @Test
  void aTransitionUnderAnotherIdentifierIsDoubled() {
    TransitionRecord again =
        new TransitionRecord(
            new byte[0],
            "t9",
            "rule-1",
            "group",
            Map.of(),
            1,
            Kind.FIRED,
            "a",
            101,
            AlertTruth.OPEN,
            false,
            false);
    assertThat(verdict(List.of(), List.of(FIRED, again, RESOLVED), List.of(FIRST)).doubled())
        .as("sequence, and fired twice")
        .hasSize(2);
  }

  @Test
  void anIncidentThatIsNotTrueIsAFlap() {
    AlertVerdict verdict =
        verdict(List.of(), List.of(FIRED, RESOLVED, FOUND, ENDED), List.of(FIRST, SECOND));
    assertThat(verdict.flaps()).hasSize(2);
    assertThat(verdict.revisions()).as("nothing came late").hasSize(1);
  }

  @Test
  void whatWasNeverTrueAtAnyMomentIsAFlapAlsoWhenItIsTakenBack() {
    TransitionRecord wrong = told(3, Kind.FIRED, "b", 102, 0, false);
    TransitionRecord back = told(4, Kind.RETRACTED, "b", 102, 0, true);
    assertThat(verdict(List.of(), List.of(FIRED, RESOLVED, wrong, back), List.of(FIRST)).flaps())
        .hasSize(1);
  }
}

package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.SilenceDefinition.Repeat;
import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a silence is active, and which incidents matchers and inhibitions mean. */
class SilenceDefinitionTest {

  private static final List<IncidentMatcher> CRITICAL =
      List.of(matcher("severity", "eq", "critical"));

  private static IncidentMatcher matcher(String label, String operator, String value) {
    return new IncidentMatcher(label, operator, value);
  }

  private static SilenceDefinition silence(String start, String end, Repeat repeat) {
    return new SilenceDefinition(
        "Upgrade", CRITICAL, Instant.parse(start), Instant.parse(end), repeat);
  }

  private static Incident incident(String id, String severity, Map<String, String> group) {
    Instant now = Instant.parse("2026-11-23T10:00:00Z");
    return new Incident(
        id,
        new EnvironmentId("env-a"),
        1,
        "rule-1",
        "Queue is long",
        severity,
        "open",
        "firing",
        group,
        Map.of("team", "it"),
        Map.of(),
        null,
        now,
        null,
        now,
        1.0,
        1.0,
        null,
        null,
        null,
        false,
        null,
        false,
        1);
  }

  @Test
  void oneThatComesOnceIsActiveFromItsStartUntilBeforeItsEnd() {
    SilenceDefinition once = silence("2026-11-23T10:00:00Z", "2026-11-23T12:00:00Z", null);

    assertThat(once.isActive(Instant.parse("2026-11-23T09:59:59Z"))).isFalse();
    assertThat(once.isActive(Instant.parse("2026-11-23T10:00:00Z"))).isTrue();
    assertThat(once.isActive(Instant.parse("2026-11-23T11:59:59Z"))).isTrue();
    assertThat(once.isActive(Instant.parse("2026-11-23T12:00:00Z"))).isFalse();
    assertThat(once.state(Instant.parse("2026-11-23T09:00:00Z"))).isEqualTo("waiting");
    assertThat(once.state(Instant.parse("2026-11-23T12:00:00Z"))).isEqualTo("over");
  }

  /** Clocks of Berlin are put forward on 29 March 2026 at 02:00 and back on 25 October at 03:00. */
  @ParameterizedTest
  @CsvSource({
    "2026-03-28T21:30:00Z, true",
    "2026-03-28T20:59:59Z, false",
    "2026-03-29T20:00:00Z, true",
    "2026-03-29T19:59:59Z, false",
    "2026-03-29T21:59:59Z, true",
    "2026-03-29T22:00:00Z, false",
    "2026-10-25T21:00:00Z, true",
    "2026-10-25T20:59:59Z, false",
    "2026-01-01T21:30:00Z, false",
    "2026-12-31T20:59:00Z, false",
    "2026-12-30T21:00:00Z, true",
    "2026-12-31T21:00:00Z, false",
  })
  void aRepetitionBeginsAtTheSameTimeOfTheClocks(String at, boolean isActive) {
    SilenceDefinition nightly =
        silence(
            "2026-03-01T21:00:00Z",
            "2026-03-01T23:00:00Z",
            new Repeat("day", "Europe/Berlin", Instant.parse("2026-12-31T00:00:00Z")));

    assertThat(nightly.faults()).isEmpty();
    assertThat(nightly.isActive(Instant.parse(at))).isEqualTo(isActive);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-22T23:00:00Z, true",
    "2026-11-24T03:00:00Z, true",
    "2026-11-24T22:00:00Z, false",
    "2026-11-29T22:00:00Z, true",
    "2030-11-24T22:30:00Z, true",
  })
  void aWeeklyOneLastsOverSeveralDays(String at, boolean isActive) {
    SilenceDefinition weekly =
        silence("2026-11-22T22:00:00Z", "2026-11-24T22:00:00Z", new Repeat("week", "UTC", null));

    assertThat(weekly.faults()).isEmpty();
    assertThat(weekly.isActive(Instant.parse(at))).isEqualTo(isActive);
    assertThat(weekly.overAt()).isNull();
  }

  @Test
  void everyFaultIsNamedAtOnce() {
    SilenceDefinition bad =
        new SilenceDefinition(
            " ",
            List.of(matcher("topic", "eq", "a"), matcher("metric.a", "regex", "(")),
            Instant.parse("2026-11-23T10:00:00Z"),
            Instant.parse("2026-11-25T10:00:00Z"),
            new Repeat("day", "Mars/Base", Instant.parse("2026-11-23T10:00:00Z")));

    assertThat(String.join(" ", bad.faults()))
        .contains(
            "comment must",
            "matchers.label must",
            "matchers.value is not a regular expression",
            "ends_at must be at most one day",
            "repeat.time_zone must",
            "repeat.until must");
    assertThat(silence("2026-11-23T10:00:00Z", "2028-11-23T10:00:00Z", null).faults())
        .containsExactly("ends_at must be at most 366 days after starts_at.");
  }

  @Test
  void matchersLookAtRuleLabelsAndGroup() {
    Incident incident = incident("i", "critical", Map.of("metric.topic", "orders"));

    assertThat(matcher("labels.team", "eq", "it").fits(incident)).isTrue();
    assertThat(matcher("labels.nobody", "eq", "").fits(incident)).isTrue();
    assertThat(matcher("metric.topic", "regex", "or.*").fits(incident)).isTrue();
    assertThat(matcher("metric.topic", "regex", "order").fits(incident)).isFalse();
    assertThat(matcher("metric.topic", "not_regex", "order").fits(incident)).isTrue();
    assertThat(matcher("rule_name", "ne", "Queue is long").fits(incident)).isFalse();
    assertThat(matcher("rule_id", "eq", "rule-1").fits(incident)).isTrue();
  }

  @Test
  void anInhibitionNeedsEqualLabelsAndInhibitsNothingThatIsASource() {
    InhibitionDefinition definition =
        new InhibitionDefinition(
            "Broker down",
            CRITICAL,
            List.of(matcher("severity", "regex", "critical|warning")),
            List.of("metric.broker"));
    Incident down = incident("down", "critical", Map.of("metric.broker", "1"));
    Incident slow = incident("slow", "warning", Map.of("metric.broker", "1"));
    Incident other = incident("other", "warning", Map.of("metric.broker", "2"));

    assertThat(definition.isTarget(slow) && definition.fitsSource(down)).isTrue();
    assertThat(definition.hasEqualLabels(down, slow)).isTrue();
    assertThat(definition.hasEqualLabels(down, other)).isFalse();
    assertThat(definition.fitsSource(slow)).isFalse();
    assertThat(definition.isTarget(down)).as("both sides fit").isFalse();
  }
}

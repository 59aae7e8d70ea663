package io.tidemark.platform.alerting.web;

import io.tidemark.contracts.controlapi.model.IncidentMatcher;
import io.tidemark.contracts.controlapi.model.Inhibition;
import io.tidemark.contracts.controlapi.model.InhibitionDraft;
import io.tidemark.contracts.controlapi.model.LabelMatcherOperator;
import io.tidemark.contracts.controlapi.model.Silence;
import io.tidemark.contracts.controlapi.model.SilenceDraft;
import io.tidemark.contracts.controlapi.model.SilencePeriod;
import io.tidemark.contracts.controlapi.model.SilenceRepeat;
import io.tidemark.contracts.controlapi.model.SilenceState;
import io.tidemark.platform.alerting.InhibitionDefinition;
import io.tidemark.platform.alerting.SilenceDefinition;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Silences and inhibitions between the contract and the module. */
final class SilencesApiMapping {

  private SilencesApiMapping() {}

  static SilenceDefinition definition(SilenceDraft draft) {
    return new SilenceDefinition(
        draft.getComment(),
        matchers(draft.getMatchers()),
        instant(draft.getStartsAt()),
        instant(draft.getEndsAt()),
        draft.getRepeat() == null ? null : repeat(draft.getRepeat()));
  }

  private static SilenceDefinition.Repeat repeat(SilenceRepeat sent) {
    return new SilenceDefinition.Repeat(
        sent.getEvery() == null ? null : sent.getEvery().getValue(),
        sent.getTimeZone(),
        instant(sent.getUntil()));
  }

  static InhibitionDefinition definition(InhibitionDraft draft) {
    return new InhibitionDefinition(
        draft.getName(),
        matchers(draft.getSource()),
        matchers(draft.getTarget()),
        draft.getEqual() == null
            ? List.of()
            : draft.getEqual().stream().map(label -> label == null ? "" : label).toList());
  }

  private static List<io.tidemark.platform.alerting.IncidentMatcher> matchers(
      List<IncidentMatcher> sent) {
    return sent == null ? List.of() : sent.stream().map(SilencesApiMapping::matcher).toList();
  }

  private static io.tidemark.platform.alerting.IncidentMatcher matcher(IncidentMatcher sent) {
    if (sent == null) {
      return new io.tidemark.platform.alerting.IncidentMatcher(null, null, null);
    }
    return new io.tidemark.platform.alerting.IncidentMatcher(
        sent.getLabel(),
        sent.getOperator() == null ? null : sent.getOperator().getValue(),
        sent.getValue());
  }

  static Silence shown(io.tidemark.platform.alerting.Silence silence, String state) {
    SilenceDefinition definition = silence.definition();
    return new Silence(
            silence.id(),
            definition.comment(),
            shown(definition.matchers()),
            utc(definition.startsAt()),
            utc(definition.endsAt()),
            SilenceState.fromValue(state),
            silence.createdBy(),
            silence.version(),
            utc(silence.createdAt()),
            utc(silence.updatedAt()))
        .repeat(definition.repeat() == null ? null : shown(definition.repeat()));
  }

  private static SilenceRepeat shown(SilenceDefinition.Repeat repeat) {
    return new SilenceRepeat(SilencePeriod.fromValue(repeat.every()), repeat.timeZone())
        .until(utc(repeat.until()));
  }

  static Inhibition shown(io.tidemark.platform.alerting.Inhibition inhibition) {
    InhibitionDefinition definition = inhibition.definition();
    return new Inhibition(
        inhibition.id(),
        definition.name(),
        shown(definition.source()),
        shown(definition.target()),
        definition.equal(),
        inhibition.version(),
        utc(inhibition.createdAt()),
        utc(inhibition.updatedAt()));
  }

  private static List<IncidentMatcher> shown(
      List<io.tidemark.platform.alerting.IncidentMatcher> matchers) {
    return matchers.stream()
        .map(
            matcher ->
                new IncidentMatcher(
                    matcher.label(),
                    LabelMatcherOperator.fromValue(matcher.operator()),
                    matcher.value()))
        .toList();
  }

  /** As exact as the database keeps times. */
  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant().truncatedTo(ChronoUnit.MICROS);
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}

package io.tidemark.platform.alerting;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Says whether alerts of an organisation are decided now. */
@Component
public class AlertPulse {

  private final PipelineProgress progress;
  private final RuleEvaluations evaluations;
  private final Clock clock;

  AlertPulse(PipelineProgress progress, RuleEvaluations evaluations, Clock clock) {
    this.progress = progress;
    this.evaluations = evaluations;
    this.clock = clock;
  }

  /**
   * What is known at a moment.
   *
   * @param completeUntil null while it is not known
   * @param decidedUntil of the rule that is decided furthest, whoever's; null when none is
   * @param fault why alerts are not decided, one sentence; null when they are
   */
  public record Beat(
      @Nullable Instant completeUntil, @Nullable Instant decidedUntil, @Nullable String fault) {}

  /** Of rows of the organisation, and of the job that decides for all. */
  public Beat of(TenantId organization) {
    Instant tooOld = clock.instant().minus(AlertEvaluation.BLIND_AFTER);
    Optional<Instant> complete = progress.completeUntil(organization);
    Optional<Instant> decided = evaluations.newest();
    String fault = null;
    if (complete.isEmpty()) {
      fault = "The pipeline has not said how far rows are complete.";
    } else if (complete.get().isBefore(tooOld)) {
      fault = "Rows are complete until " + complete.get() + " only.";
    } else if (decided.isPresent() && decided.get().isBefore(tooOld)) {
      fault = "The alert job has decided minutes until " + decided.get() + " only.";
    }
    return new Beat(complete.orElse(null), decided.orElse(null), fault);
  }
}

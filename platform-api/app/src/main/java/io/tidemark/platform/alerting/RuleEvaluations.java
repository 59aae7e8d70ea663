package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Optional;

/** What the alert job says of its rules. */
public interface RuleEvaluations {

  /** Nothing is read. */
  RuleEvaluations NONE =
      new RuleEvaluations() {
        @Override
        public boolean isKnown() {
          return false;
        }

        @Override
        public Optional<Instant> newest() {
          return Optional.empty();
        }

        @Override
        public Optional<RuleEvaluation> of(
            TenantId organization, EnvironmentId environment, String rule) {
          return Optional.empty();
        }

        @Override
        public long groups(TenantId organization, EnvironmentId environment) {
          return 0;
        }
      };

  /** Whether everything that the job has said is read. */
  boolean isKnown();

  /** How far the rule is decided that is decided furthest; empty when that of none is known. */
  Optional<Instant> newest();

  /** Empty when the job has said nothing of the rule. */
  Optional<RuleEvaluation> of(TenantId organization, EnvironmentId environment, String rule);

  /** Groups of all rules of the environment that were decided last; 0 where that is not known. */
  long groups(TenantId organization, EnvironmentId environment);
}

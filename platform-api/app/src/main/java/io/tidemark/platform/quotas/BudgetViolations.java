package io.tidemark.platform.quotas;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.quotas.SeriesBudgetStatus.Budget;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Recent reports of the pipeline on environments that exceed a budget of series. */
@Component
public class BudgetViolations {

  /**
   * For how long it counts. While series are folded, the pipeline tells so every minute, and of
   * that it is heard some seconds later.
   */
  public static final Duration COUNTS_FOR = Duration.ofMinutes(2);

  private static final int MAX_NUMBER = 10_000;

  private record Subject(TenantId organization, EnvironmentId environment, Budget budget) {}

  /**
   * A record of the pipeline.
   *
   * @param limit that was exceeded
   * @param until it counts
   */
  record ReportedViolation(long limit, Instant until) {}

  private final Cache<Subject, ReportedViolation> last =
      Caffeine.newBuilder().maximumSize(MAX_NUMBER).expireAfterWrite(COUNTS_FOR).build();

  /**
   * Takes in a record.
   *
   * @param at when series were folded
   */
  public void told(
      TenantId organization, EnvironmentId environment, Budget budget, long limit, Instant at) {
    ReportedViolation told = new ReportedViolation(limit, at.plus(COUNTS_FOR));
    last.asMap()
        .merge(
            new Subject(organization, environment, budget),
            told,
            (before, after) -> after.until().isBefore(before.until()) ? before : after);
  }

  Optional<ReportedViolation> last(
      TenantId organization, EnvironmentId environment, Budget budget) {
    return Optional.ofNullable(last.getIfPresent(new Subject(organization, environment, budget)));
  }
}

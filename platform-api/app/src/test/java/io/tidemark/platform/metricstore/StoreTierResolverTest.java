package io.tidemark.platform.metricstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.metricstore.LoadRules.LoadPeriod;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreTierResolverTest {

  private static final TenantId TENANT = new TenantId("org-a");
  private static final Instant NOW = Instant.parse("2026-03-20T12:30:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final ScanSpec ASKED =
      ScanSpec.of(
          Source.MINUTES,
          IntervalSet.of(List.of(new TimeInterval(NOW.minus(Duration.ofDays(40)), NOW))));

  private static StoreTierRanges ages(LoadRules druid, Optional<Instant> lakeCompleteUntil) {
    return new StoreTierResolver(druid, organization -> lakeCompleteUntil, CLOCK).of(TENANT);
  }

  private static LoadRules days(int days) {
    return (organization, source) ->
        Optional.of(new LoadPeriod(Optional.of(Duration.ofDays(days))));
  }

  @Test
  void whatDruidKeepsForeverIsNeverReadFromTheLake() {
    LoadRules forever = (organization, source) -> Optional.of(new LoadPeriod(Optional.empty()));
    assertThat(ages(forever, Optional.of(NOW)).among(List.of(ASKED))).containsExactly(ASKED);
  }

  @Test
  void theLakeIsReadForWhatDruidLetsGoOf() {
    StoreTierRanges ages = ages(days(30), Optional.of(NOW));
    List<ScanSpec> parts = ages.among(List.of(ASKED));
    assertThat(parts).extracting(ScanSpec::store).containsExactly(Store.LAKE, Store.DRUID);
    assertThat(Instant.ofEpochMilli(parts.get(1).spans().list().get(0).from()))
        .isEqualTo("2026-02-20T00:00:00Z");
    ScanAvailability.check(ages, parts);
  }

  @Test
  void noAnswerIsHalfWhileTheLakeIsBehind() {
    StoreTierRanges ages = ages(days(30), Optional.of(NOW.minus(Duration.ofDays(35))));
    assertThatThrownBy(() -> ScanAvailability.check(ages, ages.among(List.of(ASKED))))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
              assertThat(problem.retryAfter()).isPresent();
              assertThat(problem.details().get(0))
                  .contains("rollup_1m from 2026-02-12T00:00:00Z to 2026-02-19T00:00:00Z");
            });
    ScanSpec recent =
        ScanSpec.of(
            Source.MINUTES,
            IntervalSet.of(List.of(new TimeInterval(NOW.minus(Duration.ofDays(20)), NOW))));
    assertThat(ages.among(List.of(recent))).containsExactly(recent);
    ScanAvailability.check(ages, List.of(recent));
  }

  @Test
  void whileNothingIsKnownOnlyTheLastDaysAreAnswered() {
    StoreTierRanges ages = ages((organization, source) -> Optional.empty(), Optional.empty());
    assertThatThrownBy(() -> ScanAvailability.check(ages, ages.among(List.of(ASKED))))
        .isInstanceOf(ProblemException.class);
    ScanSpec recent =
        ScanSpec.of(
            Source.MINUTES,
            IntervalSet.of(List.of(new TimeInterval(NOW.minus(Duration.ofDays(2)), NOW))));
    ScanAvailability.check(ages, ages.among(List.of(recent)));
  }
}

package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far answers are behind, as it is scraped. */
class CompletenessAgeTest {

  private static final Instant MINUTE = Instant.parse("2026-11-30T12:00:00Z");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Instant now = MINUTE.plusSeconds(10);
  private Optional<Instant> committed = Optional.empty();
  private Optional<Instant> readable = Optional.empty();
  private Optional<Instant> read = Optional.empty();

  CompletenessAgeTest() {
    new CompletenessAge(() -> committed, () -> readable, () -> read, () -> now).bindTo(meters);
  }

  private double age(String stage) {
    return meters.get("tidemark.completeness.age").tag("stage", stage).gauge().value();
  }

  @Test
  void nothingIsShownBeforeAnythingWasComplete() {
    assertThat(age("committed")).isNaN();
    assertThat(age("readable")).isNaN();
    assertThat(age("read")).isNaN();
  }

  @Test
  void aTimeThatStandsStillGrowsOld() {
    committed = Optional.of(MINUTE);
    assertThat(age("committed")).isEqualTo(10);
    now = now.plus(Duration.ofHours(2));
    assertThat(age("committed")).isEqualTo(7210);
  }

  @Test
  void whatDruidHasNotReadIsBehindWhatIsCommitted() {
    committed = Optional.of(MINUTE);
    readable = Optional.of(MINUTE.minusSeconds(120));
    read = Optional.of(MINUTE.plusSeconds(7));
    assertThat(age("committed")).isEqualTo(10);
    assertThat(age("readable")).isEqualTo(130);
    assertThat(age("read")).isEqualTo(3);
  }

  @Test
  void aClockThatIsBehindTheJobsShowsNoAge() {
    committed = Optional.of(MINUTE.plusSeconds(60));
    assertThat(age("committed")).isZero();
  }
}

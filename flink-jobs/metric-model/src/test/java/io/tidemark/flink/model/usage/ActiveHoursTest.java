package io.tidemark.flink.model.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.usage.ActiveHours.Outcome;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ActiveHoursTest {

  @Test
  void aSeriesIsNewAfterADayOfSilenceAndCountsOnceAnHour() {
    ActiveHours hours = ActiveHours.NONE;
    assertEquals(Outcome.NEW, hours.outcome(100));
    hours = hours.with(100);
    assertEquals(Outcome.KNOWN, hours.outcome(100));
    assertEquals(Outcome.ACTIVE, hours.outcome(101));
    assertEquals(Outcome.ACTIVE, hours.outcome(124));
    assertEquals(Outcome.NEW, hours.outcome(125));
  }

  /** Against a set of hours, in any order within the hours that are looked back. */
  @Test
  void whateverTheOrderEveryHourCountsOnce() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      ActiveHours hours = ActiveHours.NONE;
      Set<Long> counted = new HashSet<>();
      long newest = 1_000;
      for (int i = 0; i < 60; i++) {
        newest += random.nextInt(4) == 0 ? random.nextInt(30) : 0;
        long hour = newest - random.nextInt(ActiveHours.LOOKED_BACK);
        Outcome outcome = hours.outcome(hour);
        if (hour > hours.last()) {
          long at = hour;
          boolean wasActive =
              LongStream.rangeClosed(1, ActiveHours.LOOKED_BACK)
                  .anyMatch(back -> counted.contains(at - back));
          assertEquals(wasActive ? Outcome.ACTIVE : Outcome.NEW, outcome);
        } else if (hours.last() - hour <= ActiveHours.LOOKED_BACK) {
          assertEquals(counted.contains(hour) ? Outcome.KNOWN : Outcome.ACTIVE, outcome);
        }
        if (outcome != Outcome.KNOWN) {
          counted.add(hour);
          hours = hours.with(hour);
        }
        assertEquals(Outcome.KNOWN, hours.outcome(hour));
      }
    }
  }
}

package io.tidemark.flink.model.panes.combine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.panes.state.TestingPanes;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombinerTest {

  private static final long MINUTE_MS = 60_000L;
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final int SERIES = 50;

  private final List<byte[]> bundles = new ArrayList<>();
  private final Combiner combiner = new Combiner(1, bundles::add);

  /**
   * What a sender kept for two hours comes from several partitions, each far ahead of the next: the
   * points of a minute are still one partial.
   */
  @Test
  void pointsOfAMinuteMeetHoweverManyMinutesLieBetweenThem() {
    addSeries();
    passOver(1);
    // Now every series is announced, and what follows are figures only.
    combiner.flush(0);
    passOver(1);
    int onePass = flushed();

    for (int partition = 0; partition < 4; partition++) {
      passOver(120);
    }

    assertEquals(120 * SERIES * partialBytes(), flushed() - headBytes());
    assertEquals(SERIES * valueBytes(), onePass - headBytes());
  }

  /** A partition that is ahead begins a minute that the others have still to finish. */
  @Test
  void figuresOfOpenMinutesWaitForTheRest() {
    addSeries();
    passOver(1);
    combiner.flush(0);
    passOver(2);
    bundles.clear();

    combiner.flushBefore(MINUTE_MS, 0);

    assertEquals(SERIES * valueBytes(), bundles.get(0).length - headBytes());
    passOver(2);
    assertEquals(SERIES * (partialBytes() + valueBytes()), flushed() - headBytes());
  }

  /** Of one minute and no more there is no older half. */
  @Test
  void roomIsMadeByTheOlderHalf() {
    addSeries();
    passOver(6);
    combiner.flush(0);
    passOver(6);
    bundles.clear();

    combiner.makeRoom(0);

    assertEquals(3 * SERIES * valueBytes(), bundles.get(0).length - headBytes());
    combiner.flush(0);
    passOver(1);
    bundles.clear();
    combiner.makeRoom(0);
    assertEquals(SERIES * valueBytes(), bundles.get(0).length - headBytes());
    assertTrue(combiner.isEmpty());
  }

  private void addSeries() {
    for (int i = 0; i < SERIES; i++) {
      SeriesDescriptor series = TestingPanes.series("cpu-" + i, MetricKind.GAUGE);
      combiner.addSeries(SeriesKey.of(series), series, TenantLimits.NONE);
    }
  }

  private void passOver(int minutes) {
    for (long minute = 0; minute < minutes; minute++) {
      for (int slot = 0; slot < SERIES; slot++) {
        combiner.addValue(slot, minute * MINUTE_NANOS + 1, 1);
      }
    }
  }

  private int flushed() {
    bundles.clear();
    combiner.flush(0);
    return bundles.stream().mapToInt(bundle -> bundle.length).sum();
  }

  private static int headBytes() {
    return new Bundle(0).size();
  }

  private static int valueBytes() {
    Bundle bundle = new Bundle(0);
    bundle.value(1, 1, 1, 1);
    return bundle.size() - headBytes();
  }

  private static int partialBytes() {
    Bundle bundle = new Bundle(0);
    bundle.partial(1, 1, 1, 1, 1, 1, 1, 1, 1, null);
    return bundle.size() - headBytes();
  }
}

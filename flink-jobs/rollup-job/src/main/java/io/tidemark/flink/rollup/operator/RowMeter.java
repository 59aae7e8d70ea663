package io.tidemark.flink.rollup.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.usage.IncrementSubject;
import io.tidemark.flink.model.budget.Overflow;
import io.tidemark.flink.model.panes.SeriesHead;
import io.tidemark.flink.model.panes.SeriesState;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.usage.RowLevel;
import io.tidemark.flink.model.usage.RowTally;
import io.tidemark.flink.model.usage.UsageHour;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts rows by subject, level and hour of the clock as they are written, and shows each series of
 * rows of a minute once an hour. Sums stand at what series have in common, so a row costs no
 * search. Which series were shown is a memory that a restart rebuilds.
 */
final class RowMeter {

  private static final byte[] OVERFLOW = Overflow.LABEL.getBytes(UTF_8);

  /** Of a series that is never shown. */
  private static final int NEVER = Integer.MAX_VALUE;

  /** Series that wait to be told, 16 bytes each. */
  private static final int MAX_SHOWN = 100_000;

  /** Subjects whose heads share a tally; beyond this number sharing begins anew. */
  private static final int MAX_SHARED = 65_536;

  private final IncrementOutput output;
  private final List<RowTally> open = new ArrayList<>();
  private final Map<ByteBuffer, RowTally> tallies = new HashMap<>();
  private final Map<String, String> environments = new HashMap<>();
  private int hour;
  private int shown;

  RowMeter(IncrementOutput output, long now) {
    this.output = output;
    this.hour = hourOf(now);
  }

  /** Rows that follow are of the hour of the clock; those before leave when it is another. */
  void at(long now) {
    int next = hourOf(now);
    if (next != hour) {
      tell();
      hour = next;
    } else if (shown > MAX_SHOWN) {
      tell();
    }
  }

  /** Counts a row. */
  void row(RowLevel level, SeriesState series) {
    RowTally tally = tallyOf(series);
    if (tally.isEmpty()) {
      open.add(tally);
    }
    tally.add(level);
    if (level == RowLevel.MINUTES && series.shownIn() != hour) {
      show(series, tally);
    }
  }

  private void show(SeriesState series, RowTally tally) {
    if (series.shownIn() == NEVER) {
      return;
    }
    if (DescriptorBytes.hasAttribute(series.attributes(), OVERFLOW)) {
      // What exceeds a budget is billed as points, never as series.
      series.keepShownIn(NEVER);
      return;
    }
    series.keepShownIn(hour);
    tally.show(series.key().high(), series.key().low());
    shown++;
  }

  private RowTally tallyOf(SeriesState series) {
    SeriesHead head = series.head();
    RowTally own = head.rowTally();
    if (own != null) {
      return own;
    }
    IncrementSubject subject = IncrementSubject.of(PointMeter.subjectOf(series.descriptor()));
    if (tallies.size() >= MAX_SHARED) {
      tallies.clear();
      environments.clear();
    }
    // Series of one subject may differ in what heads hold besides, such as the unit.
    RowTally tally =
        tallies.computeIfAbsent(
            ByteBuffer.wrap(subject.bytes()),
            unknown ->
                new RowTally(
                    environments.computeIfAbsent(subject.environment(), one -> one),
                    subject.bytes()));
    head.keepRowTally(tally);
    return tally;
  }

  /** Hands over all sums, and holds none. */
  void tell() {
    for (RowTally tally : open) {
      output.add(
          tally.environment(),
          tally.subject(),
          hour * UsageHour.LENGTH_MS,
          tally.units(),
          tally.series(),
          tally.shown());
      tally.clear();
    }
    open.clear();
    shown = 0;
    output.flush();
  }

  private static int hourOf(long now) {
    return (int) Math.floorDiv(now, UsageHour.LENGTH_MS);
  }
}

package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.budget.Excess;
import io.tidemark.flink.model.budget.Overflow;
import io.tidemark.flink.model.budget.SeriesLedger;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;

/**
 * Which announced series of a key group are kept apart. The others become folded ones: a key, the
 * series that they count for, and the reference of a running total, so that totals stay exact.
 */
final class SeriesAdmission {

  private final SeriesTable series;
  private final SeriesLedger ledger;
  private final PaneSink sink;

  SeriesAdmission(SeriesTable series, SeriesLedger ledger, PaneSink sink) {
    this.series = series;
    this.ledger = ledger;
    this.sink = sink;
  }

  /** A folded series is tried again; one that is kept apart stays so. */
  void announced(long high, long low, TenantLimits limits, byte[] descriptor, long now) {
    SeriesState known = series.find(high, low);
    if (known != null && !known.isFolded()) {
      known.seenAt = now;
      return;
    }
    SeriesDescriptor named = DescriptorBytes.decode(descriptor);
    Excess excess = null;
    boolean isAdmitted;
    if (Overflow.isOverflow(named)) {
      isAdmitted = ledger.admitOverflow(named, limits);
    } else {
      excess = ledger.admit(named, limits, now);
      isAdmitted = excess == null;
    }
    if (excess != null) {
      sink.folded(named, excess);
    }
    if (known == null) {
      if (isAdmitted) {
        series.add(high, low, descriptor, now).hasLast = !Overflow.isOverflow(named);
      } else {
        series.addFolded(high, low, overflowOf(named, limits, now), now);
      }
      return;
    }
    if (isAdmitted) {
      series.unfold(known, descriptor);
      known.hasLast = !Overflow.isOverflow(named);
    }
    known.seenAt = now;
  }

  /** The sender folded the series already; what it counts for was announced just before. */
  void announcedFolded(long high, long low, long intoHigh, long intoLow, long now) {
    SeriesState known = series.find(high, low);
    if (known != null) {
      known.seenAt = now;
      return;
    }
    SeriesState into = series.find(intoHigh, intoLow);
    if (into == null) {
      throw new IllegalStateException("A series is folded into one that was not announced");
    }
    series.addFolded(high, low, into.counted(), now);
  }

  void left(SeriesState gone) {
    if (!gone.isFolded()) {
      ledger.left(gone.descriptor());
    }
  }

  void restored() {
    for (SeriesState one : series.all()) {
      if (one != null && !one.isFolded()) {
        SeriesDescriptor named = one.descriptor();
        one.hasLast = !Overflow.isOverflow(named);
        ledger.restored(named);
      }
    }
  }

  private SeriesState overflowOf(SeriesDescriptor named, TenantLimits limits, long now) {
    boolean isOverflow = Overflow.isOverflow(named);
    Overflow depth = isOverflow ? Overflow.depthOf(named).deeper() : Overflow.of(named, limits);
    for (; ; depth = depth.deeper()) {
      SeriesDescriptor overflow = depth.of(named);
      SeriesKey key = SeriesKey.of(overflow);
      SeriesState known = series.find(key.high(), key.low());
      if (known != null && !known.isFolded()) {
        return known;
      }
      if (known == null && ledger.admitOverflow(overflow, limits)) {
        SeriesState added =
            series.add(key.high(), key.low(), DescriptorBytes.encode(overflow), now);
        added.hasLast = false;
        return added;
      }
    }
  }
}

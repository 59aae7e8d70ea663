package io.tidemark.platform.sizing.domain;

import java.util.Locale;

/**
 * What one more node buys.
 *
 * @param of what there can be more of, when the unit is a percentage of the load: points, rows,
 *     requests or series; empty otherwise
 */
public record NodeGain(double amount, Unit unit, String of) {

  static NodeGain of(double amount, Unit unit) {
    return new NodeGain(amount, unit, "");
  }

  /** As in "64.0 MB/s" and "30 % more points". */
  public String text() {
    String number =
        String.format(Locale.ROOT, unit == Unit.MEGABYTES_PER_SECOND ? "%.1f" : "%.0f", amount);
    return number + " " + unit.symbol() + (of.isEmpty() ? "" : " more " + of);
  }
}

package io.tidemark.flink.replay;

import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.Locale;

/** What live rows are kept in: a table of the lake and a datasource of Druid, of the same name. */
enum RollupTable {
  ROLLUP_1M("1m", RollupLevel.MINUTE),
  /** Minutes of split metrics at full detail; {@link #ROLLUP_1M} has their sums. */
  ROLLUP_1M_HC("1m-hc", RollupLevel.MINUTE),
  ROLLUP_1H("1h", RollupLevel.HOUR),
  ROLLUP_1D("1d", RollupLevel.DAY);

  private final String shown;
  private final RollupLevel level;

  RollupTable(String shown, RollupLevel level) {
    this.shown = shown;
    this.level = level;
  }

  /** How differences name it. */
  String shown() {
    return shown;
  }

  RollupLevel level() {
    return level;
  }

  String tableName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

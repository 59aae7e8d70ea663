package io.tidemark.platform.metricstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which store is asked for rows of which age. Boundaries are starts of days in UTC, so that no
 * window of any level lies on both sides.
 *
 * @param ages by source; of a source that is missing, Druid holds everything
 * @param ownFrom windows that begin at or after it are in datasources of the organisation's own;
 *     {@link #NEVER} when none are. Parts end there, so that each is read from one datasource
 */
public record StoreTierRanges(Map<Source, Age> ages, long ownFrom) {

  /** No window begins so late. */
  public static final long NEVER = Long.MAX_VALUE;

  /** All rows are in the datasources that all share. */
  public StoreTierRanges(Map<Source, Age> ages) {
    this(ages, NEVER);
  }

  /** There is no lake: Druid is asked for everything. */
  public static final StoreTierRanges DRUID_ALONE = new StoreTierRanges(Map.of());

  /**
   * Of one source, in milliseconds.
   *
   * @param lakeBefore windows that begin before are read from the lake, which has all their rows
   * @param druidFrom windows that begin at or after it are whole in Druid
   */
  public record Age(long lakeBefore, long druidFrom) {

    private static final long DAY = Level.DAY.width();

    /**
     * The age of a source. The lake is asked at least a day before Druid lets go, so that a rule
     * that has moved on meanwhile takes nothing that a query counts on; and at least a day behind
     * what it has, so that a commit that hangs is in nobody's way.
     *
     * @param now the time
     * @param kept how long Druid keeps windows
     * @param lakeHas everything that ends before this time was given to the lake
     */
    public static Age of(long now, long kept, long lakeHas) {
      long wanted = IntervalSet.down(now - kept + 2 * DAY, DAY);
      return new Age(
          Math.min(wanted, IntervalSet.down(lakeHas - DAY, DAY)), IntervalSet.up(now - kept, DAY));
    }
  }

  public StoreTierRanges {
    ages = Map.copyOf(ages);
  }

  /** The same for an organisation with datasources of its own. */
  public StoreTierRanges withOwnFrom(long from) {
    return new StoreTierRanges(ages, from);
  }

  /** Whether some rows are in the lake alone. */
  public boolean needLake() {
    return !ages.isEmpty();
  }

  /** The same parts, each of one store. */
  public List<ScanSpec> among(List<ScanSpec> parts) {
    List<ScanSpec> stored = new ArrayList<>();
    for (ScanSpec part : parts) {
      Age age = ages.get(part.source());
      IntervalSet inDruid = age == null ? part.spans() : part.spans().from(age.lakeBefore());
      if (age != null) {
        add(stored, part, Store.LAKE, part.spans().before(age.lakeBefore()));
      }
      if (ownFrom == NEVER) {
        add(stored, part, Store.DRUID, inDruid);
      } else {
        add(stored, part, Store.DRUID, inDruid.before(ownFrom));
        add(stored, part, Store.DRUID, inDruid.from(ownFrom));
      }
    }
    return stored;
  }

  private static void add(List<ScanSpec> parts, ScanSpec part, Store store, IntervalSet spans) {
    if (!spans.isEmpty()) {
      parts.add(new ScanSpec(part.source(), store, spans, part.environments(), part.except()));
    }
  }

  /** Windows of a part that Druid does not hold any more and the lake not yet. */
  public IntervalSet missing(ScanSpec part) {
    Age age = ages.get(part.source());
    return age == null || part.store() == Store.LAKE
        ? IntervalSet.NONE
        : part.spans().before(age.druidFrom());
  }
}

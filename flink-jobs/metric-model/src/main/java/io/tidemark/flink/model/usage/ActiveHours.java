package io.tidemark.flink.model.usage;

/**
 * In which of the last hours a series was active. A series counts once an hour, and as new when it
 * was not active in the {@value #LOOKED_BACK} hours before.
 *
 * @param last hours since the Unix epoch, of the latest active one
 * @param before bit k says that it was active k hours before {@code last}; bit 0 is set
 */
public record ActiveHours(long last, long before) {

  /** A series that was silent for longer is new. */
  public static final int LOOKED_BACK = 24;

  private static final long MASK = (1L << LOOKED_BACK + 1) - 1;

  /** Before the first. */
  public static final ActiveHours NONE = new ActiveHours(Long.MIN_VALUE / 2, 0);

  /** What an hour adds. */
  public enum Outcome {
    /** It is counted already, or so long ago that this is not known. */
    KNOWN,
    ACTIVE,
    NEW
  }

  /** What it adds that the series is active in an hour. */
  public Outcome outcome(long hour) {
    if (hour > last) {
      return shifted(hour) == 0 ? Outcome.NEW : Outcome.ACTIVE;
    }
    long back = last - hour;
    // An earlier hour that is read later than a later one: topics and partitions have no one order.
    return back > LOOKED_BACK || (before >>> back & 1) == 1 ? Outcome.KNOWN : Outcome.ACTIVE;
  }

  /** With that hour. */
  public ActiveHours with(long hour) {
    if (hour > last) {
      return new ActiveHours(hour, shifted(hour) | 1);
    }
    long back = last - hour;
    return back > LOOKED_BACK ? this : new ActiveHours(last, before | 1L << back);
  }

  private long shifted(long hour) {
    long forward = hour - last;
    return forward > LOOKED_BACK ? 0 : before << forward & MASK;
  }
}

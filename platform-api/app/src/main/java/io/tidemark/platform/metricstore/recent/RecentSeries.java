package io.tidemark.platform.metricstore.recent;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Minutes of one series, ascending, one column a figure: an object for each would be three times as
 * large. Rows of the same minute are added up. Mutable.
 */
final class RecentSeries {

  private static final int FIRST_SIZE = 8;
  private static final int WEIGHT_OF_DISTRIBUTION = 8;

  private final String environment;
  private final String id;
  private final Map<String, String> labels;
  private boolean isKept = true;
  private int size;
  private long[] minutes = new long[FIRST_SIZE];
  private double[] sums = new double[FIRST_SIZE];
  private long[] counts = new long[FIRST_SIZE];
  private double[] least = new double[FIRST_SIZE];
  private double[] max = new double[FIRST_SIZE];
  private double[] last = new double[FIRST_SIZE];
  private long[] lastAt = new long[FIRST_SIZE];

  /** None where no row has one. */
  private @Nullable Distribution @Nullable [] distributions;

  /**
   * No minutes.
   *
   * @param labels by key as queries name it
   */
  RecentSeries(String environment, String id, Map<String, String> labels) {
    this.environment = environment;
    this.id = id;
    this.labels = labels;
  }

  String environment() {
    return environment;
  }

  String id() {
    return id;
  }

  Map<String, String> labels() {
    return labels;
  }

  /** Whether rows may still be added. */
  boolean isKept() {
    return isKept;
  }

  /** It is in no list any more; if it is sent again, another one takes its place. */
  void letGo() {
    isKept = false;
  }

  int size() {
    return size;
  }

  /** What a minute takes, in those of series without distributions. */
  int weight() {
    return distributions == null ? 1 : WEIGHT_OF_DISTRIBUTION;
  }

  long minute(int place) {
    return minutes[place];
  }

  /** The place of the first minute that is not before a time. */
  int place(long time) {
    int found = Arrays.binarySearch(minutes, 0, size, time);
    return found >= 0 ? found : -found - 1;
  }

  /**
   * Adds a row.
   *
   * @return whether it is the first of its minute
   */
  boolean add(long minute, AggregateState row) {
    int place = place(minute);
    boolean isFirst = place == size || minutes[place] != minute;
    if (isFirst) {
      insert(place, minute, row);
    } else {
      AggregateState both = new AggregateState();
      addTo(place, both, distributions != null || row.distribution != null);
      both.add(row);
      set(place, both);
    }
    return isFirst;
  }

  private void insert(int place, long minute, AggregateState row) {
    if (size == minutes.length) {
      resize(2 * size);
    }
    int after = size - place;
    System.arraycopy(minutes, place, minutes, place + 1, after);
    System.arraycopy(sums, place, sums, place + 1, after);
    System.arraycopy(counts, place, counts, place + 1, after);
    System.arraycopy(least, place, least, place + 1, after);
    System.arraycopy(max, place, max, place + 1, after);
    System.arraycopy(last, place, last, place + 1, after);
    System.arraycopy(lastAt, place, lastAt, place + 1, after);
    if (distributions != null) {
      System.arraycopy(distributions, place, distributions, place + 1, after);
      distributions[place] = null;
    }
    size++;
    minutes[place] = minute;
    set(place, row);
  }

  private void set(int place, AggregateState row) {
    sums[place] = row.sum;
    counts[place] = row.count;
    least[place] = row.min;
    max[place] = row.max;
    last[place] = row.last;
    lastAt[place] = row.lastAt;
    if (row.distribution != null) {
      if (distributions == null) {
        distributions = new Distribution[minutes.length];
      }
      distributions[place] = row.distribution;
    }
  }

  private void resize(int length) {
    minutes = Arrays.copyOf(minutes, length);
    sums = Arrays.copyOf(sums, length);
    counts = Arrays.copyOf(counts, length);
    least = Arrays.copyOf(least, length);
    max = Arrays.copyOf(max, length);
    last = Arrays.copyOf(last, length);
    lastAt = Arrays.copyOf(lastAt, length);
    if (distributions != null) {
      distributions = Arrays.copyOf(distributions, length);
    }
  }

  /** Adds the figures of a minute to others, as {@link AggregateState#add} does. */
  void addTo(int place, AggregateState figures, boolean withDistribution) {
    if (withDistribution && distributions != null && distributions[place] != null) {
      // Before the extremes below, of which it must not be said that they were known.
      AggregateState other = new AggregateState();
      other.distribution = distributions[place];
      other.min = least[place];
      other.max = max[place];
      figures.add(other);
    }
    double sum = sums[place];
    figures.sum =
        Double.isNaN(figures.sum) ? sum : Double.isNaN(sum) ? figures.sum : figures.sum + sum;
    figures.count += counts[place];
    if (Double.isNaN(figures.min) || least[place] < figures.min) {
      figures.min = least[place];
    }
    if (Double.isNaN(figures.max) || max[place] > figures.max) {
      figures.max = max[place];
    }
    if (!Double.isNaN(last[place]) && lastAt[place] >= figures.lastAt) {
      figures.last = last[place];
      figures.lastAt = lastAt[place];
    }
  }

  /**
   * Forgets the minutes before a time.
   *
   * @return how many
   */
  int forget(long before) {
    int gone = place(before);
    if (gone == 0) {
      return 0;
    }
    int left = size - gone;
    System.arraycopy(minutes, gone, minutes, 0, left);
    System.arraycopy(sums, gone, sums, 0, left);
    System.arraycopy(counts, gone, counts, 0, left);
    System.arraycopy(least, gone, least, 0, left);
    System.arraycopy(max, gone, max, 0, left);
    System.arraycopy(last, gone, last, 0, left);
    System.arraycopy(lastAt, gone, lastAt, 0, left);
    if (distributions != null) {
      System.arraycopy(distributions, gone, distributions, 0, left);
      Arrays.fill(distributions, left, size, null);
    }
    size = left;
    if (minutes.length > FIRST_SIZE && size < minutes.length / 4) {
      resize(Math.max(FIRST_SIZE, minutes.length / 2));
    }
    return gone;
  }
}

package io.tidemark.pipeline.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tells growth from noise: of what was seen at a steady rate the first third is warm-up, and the
 * median of the last third is compared with that of the second. The greatest rise of memory within
 * two minutes does not count: the first compaction of an hour takes more once, for good, and growth
 * comes again. A Java process may fill its heap whenever it likes; what it needs of it must be
 * flat.
 */
final class SoakTrend {
  /** A heap fills up to its limit for an hour and longer. */
  private static final double MEMORY_GROWTH = 1.10;

  private static final double MEMORY_NOISE_MIB = 32;

  /** What takes more once takes it within so many looks. */
  private static final int LOOKS_OF_STEP = 4;

  /** A checkpoint, a compaction or a file of the lake at the wrong moment. */
  private static final double LAG_GROWTH = 1.25;

  private static final double LAG_NOISE_SECONDS = 5;

  private static final int MIN_LOOKS = 12;

  /** Each of what comes to a half is the least of so many looks at least. */
  private static final int MIN_COLLECTIONS = 4;

  private SoakTrend() {}

  /**
   * One look.
   *
   * @param minute since the load began
   * @param resident MiB, by component
   * @param behind seconds between now and the moment until which answers are complete
   * @param unread batches of points that the rollup job had not committed
   */
  record Look(double minute, Map<String, Long> resident, double behind, long unread) {
    long total() {
      return resident.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * What grew, a line for each; empty when all is flat.
   *
   * @param limits MiB that a component may fill at any time: its heap and its buffers
   * @throws IllegalArgumentException fewer than {@value #MIN_LOOKS} looks are no trend
   */
  static List<String> growth(List<Look> looks, Map<String, Long> limits) {
    if (looks.size() < MIN_LOOKS) {
      throw new IllegalArgumentException(looks.size() + " looks are no trend");
    }
    int third = looks.size() / 3;
    List<String> grown = new ArrayList<>();
    Set<String> components = new TreeSet<>();
    looks.forEach(look -> components.addAll(look.resident().keySet()));
    for (String component : components) {
      List<Double> held = withoutStep(looks, component, limits.getOrDefault(component, 0L));
      double then = median(held.subList(third, 2 * third));
      double now = median(held.subList(2 * third, held.size()));
      if (now > MEMORY_GROWTH * then + MEMORY_NOISE_MIB) {
        grown.add(
            String.format(Locale.ROOT, "%s held %.0f MiB and holds %.0f", component, then, now));
      }
    }
    List<Double> behind = behind(looks);
    double then = median(behind.subList(third, 2 * third));
    double now = median(behind.subList(2 * third, behind.size()));
    if (now > LAG_GROWTH * then + LAG_NOISE_SECONDS) {
      grown.add(String.format(Locale.ROOT, "answers were %.1f s behind and are %.1f", then, now));
    }
    return grown;
  }

  /**
   * How far answers were behind at each look or the one before it, whichever is more. They are
   * complete up to whole minutes: of two looks at a minute the later one is further behind.
   */
  private static List<Double> behind(List<Look> looks) {
    List<Double> behind = new ArrayList<>();
    for (int i = 0; i < looks.size(); i++) {
      behind.add(Math.max(looks.get(i).behind(), looks.get(Math.max(0, i - 1)).behind()));
    }
    return behind;
  }

  /**
   * What grew of what components need of their heaps, a line for each. A compaction or a checkpoint
   * needs more for a moment: the least of the last half is compared with the least before it.
   *
   * @param collections MiB that were left after collections, by component, warm-up not among them
   * @throws IllegalArgumentException fewer than {@value #MIN_COLLECTIONS} are no trend
   */
  static List<String> growthOfLive(List<Map<String, Long>> collections) {
    if (collections.size() < MIN_COLLECTIONS) {
      throw new IllegalArgumentException(collections.size() + " collections are no trend");
    }
    int half = collections.size() / 2;
    List<String> grown = new ArrayList<>();
    for (String component : new TreeSet<>(collections.get(0).keySet())) {
      long then = least(collections.subList(0, half), component);
      long now = least(collections.subList(half, collections.size()), component);
      if (now > MEMORY_GROWTH * then + MEMORY_NOISE_MIB) {
        grown.add(
            String.format(
                Locale.ROOT, "%s needed %d MiB of its heap and needs %d", component, then, now));
      }
    }
    return grown;
  }

  private static long least(List<Map<String, Long>> collections, String component) {
    return collections.stream().mapToLong(live -> live.get(component)).min().orElseThrow();
  }

  /** What a component held, without its greatest rise; what it may fill it held from the start. */
  private static List<Double> withoutStep(List<Look> looks, String component, long limit) {
    List<Double> held =
        looks.stream()
            .map(look -> (double) Math.max(limit, look.resident().getOrDefault(component, 0L)))
            .collect(Collectors.toCollection(ArrayList::new));
    int begin = 0;
    double rise = 0;
    for (int i = 0; i + LOOKS_OF_STEP < held.size(); i++) {
      double here = held.get(i + LOOKS_OF_STEP) - held.get(i);
      if (here > rise) {
        rise = here;
        begin = i;
      }
    }
    for (int i = begin + 1; i < held.size(); i++) {
      boolean isRising = i < begin + LOOKS_OF_STEP;
      held.set(i, isRising ? held.get(begin) : held.get(i) - rise);
    }
    return held;
  }

  /** The middle of what was seen; of two the higher. */
  static double median(List<Double> seen) {
    return seen.stream().sorted().skip(seen.size() / 2).findFirst().orElse(0.0);
  }
}

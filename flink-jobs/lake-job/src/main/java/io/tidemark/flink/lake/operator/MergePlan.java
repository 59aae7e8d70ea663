package io.tidemark.flink.lake.operator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Which files become one: those of a partition and of about the same size, so that a row is written
 * again only as often as there are orders of magnitude.
 */
final class MergePlan {

  private MergePlan() {}

  /**
   * @param files of the table, in any order
   * @param partition what must be equal within a group
   * @param rows of a file
   * @param maxRows of all groups together; at least one group is planned if there is one
   */
  static <F> List<List<F>> of(
      List<F> files,
      Function<F, Object> partition,
      ToLongFunction<F> rows,
      Upkeep upkeep,
      long maxRows) {
    record Tier(Object partition, int magnitude) {}
    Map<Tier, List<F>> tiers = new LinkedHashMap<>();
    for (F file : files) {
      long size = rows.applyAsLong(file);
      if (size * 2 < upkeep.maxRows()) {
        int magnitude =
            (int) (Math.log((double) Math.max(1, size)) / Math.log(upkeep.fewestFiles()));
        tiers
            .computeIfAbsent(new Tier(partition.apply(file), magnitude), any -> new ArrayList<>())
            .add(file);
      }
    }
    List<List<F>> groups = new ArrayList<>();
    long planned = 0;
    for (List<F> small : tiers.values()) {
      small.sort(Comparator.comparingLong(rows));
      List<F> group = new ArrayList<>();
      long inGroup = 0;
      for (F file : small) {
        if (inGroup + rows.applyAsLong(file) > upkeep.maxRows()) {
          break;
        }
        group.add(file);
        inGroup += rows.applyAsLong(file);
      }
      if (group.size() >= upkeep.fewestFiles() && (planned == 0 || planned + inGroup <= maxRows)) {
        groups.add(group);
        planned += inGroup;
      }
    }
    return groups;
  }
}

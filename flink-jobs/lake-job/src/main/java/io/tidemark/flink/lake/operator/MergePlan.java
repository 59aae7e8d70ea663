package io.tidemark.flink.lake.operator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Which files become one. Small ones first, so that a row is written again only a few times. */
final class MergePlan {

  private MergePlan() {}

  /**
   * @param files of the table, in any order
   * @param partition what must be equal within a group
   * @param rows of a file
   * @param mostRows of all groups together; at least one group is planned if there is one
   */
  static <F> List<List<F>> of(
      List<F> files,
      Function<F, Object> partition,
      ToLongFunction<F> rows,
      Upkeep upkeep,
      long mostRows) {
    Map<Object, List<F>> partitions = new LinkedHashMap<>();
    for (F file : files) {
      if (rows.applyAsLong(file) * 2 < upkeep.mostRows()) {
        partitions.computeIfAbsent(partition.apply(file), ignored -> new ArrayList<>()).add(file);
      }
    }
    List<List<F>> groups = new ArrayList<>();
    long planned = 0;
    for (List<F> small : partitions.values()) {
      small.sort(Comparator.comparingLong(rows));
      List<F> group = new ArrayList<>();
      long inGroup = 0;
      for (F file : small) {
        if (inGroup + rows.applyAsLong(file) > upkeep.mostRows()) {
          break;
        }
        // Merging a large file with a few small ones would write it again and again.
        if (group.size() >= upkeep.fewestFiles() && rows.applyAsLong(file) > inGroup) {
          break;
        }
        group.add(file);
        inGroup += rows.applyAsLong(file);
      }
      if (group.size() >= upkeep.fewestFiles() && (planned == 0 || planned + inGroup <= mostRows)) {
        groups.add(group);
        planned += inGroup;
      }
    }
    return groups;
  }
}

package io.tidemark.platform.metricstore;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of groups: label by label, absent ones first, texts by Java's chars. */
public final class GroupOrder {

  /** Orders groups of equally many labels. */
  public static final Comparator<List<@Nullable String>> GROUPS = GroupOrder::compareGroups;

  private GroupOrder() {}

  private static int compareGroups(List<@Nullable String> one, List<@Nullable String> other) {
    for (int i = 0; i < one.size(); i++) {
      String left = one.get(i);
      String right = other.get(i);
      int order;
      if (left == null || right == null) {
        order = Boolean.compare(left != null, right != null);
      } else {
        order = compareTexts(left, right);
      }
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** As Druid orders, merges and filters texts. */
  static int compareTexts(String left, String right) {
    return left.compareTo(right);
  }
}

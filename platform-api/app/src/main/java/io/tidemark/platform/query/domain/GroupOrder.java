package io.tidemark.platform.query.domain;

import java.util.Comparator;
import java.util.List;

/** The order of groups: label by label, absent ones first, texts by Unicode code points. */
public final class GroupOrder {

  /** Orders groups of equally many labels. */
  public static final Comparator<List<String>> GROUPS = GroupOrder::compareGroups;

  private GroupOrder() {}

  private static int compareGroups(List<String> one, List<String> other) {
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

  /** As the bytes of UTF-8 are ordered, which the order of Java's chars is not. */
  static int compareTexts(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char one = left.charAt(i);
      char other = right.charAt(i);
      if (one != other) {
        boolean surrogates = Character.isSurrogate(one);
        return surrogates == Character.isSurrogate(other)
            ? Character.compare(one, other)
            : surrogates ? 1 : -1;
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}

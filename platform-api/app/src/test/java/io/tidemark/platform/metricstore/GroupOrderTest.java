package io.tidemark.platform.metricstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupOrderTest {

  /**
   * Druid compares Java's chars, so that an emoji comes before the last ones of the basic plane.
   */
  @Test
  void groupsAreOrderedAsDruidOrdersThem() {
    List<List<String>> ordered =
        List.of(
            Arrays.asList(null, "b"),
            Arrays.asList("", null),
            List.of("a", "b"),
            List.of("a", "\uD83D\uDE00"),
            List.of("a", "\uFF5E"),
            List.of("ab", "a"));
    List<List<String>> found = new ArrayList<>(ordered);
    Collections.reverse(found);
    found.sort(GroupOrder.GROUPS);
    assertThat(found).isEqualTo(ordered);
  }
}

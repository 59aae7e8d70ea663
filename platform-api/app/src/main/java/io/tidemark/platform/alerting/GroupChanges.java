package io.tidemark.platform.alerting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the transitions of a batch make of the states of groups, each group once. Pure.
 *
 * @param removed groups whose state is removed before {@code latest} is written
 * @param latest of each group the transition with the greatest sequence since it was removed
 */
record GroupChanges(List<Group> removed, List<AlertTransition> latest) {

  /** A group of a rule. */
  record Group(String ruleId, String groupId) {

    static Group of(AlertTransition transition) {
      return new Group(transition.ruleId(), transition.groupId());
    }
  }

  /** The same states as when the transitions were written one after the other. */
  static GroupChanges of(List<AlertTransition> transitions) {
    Set<Group> removed = new LinkedHashSet<>();
    Map<Group, AlertTransition> latest = new LinkedHashMap<>();
    for (AlertTransition transition : transitions) {
      Group group = Group.of(transition);
      if (transition.released()) {
        removed.add(group);
        latest.remove(group);
      } else if (!transition.early()) {
        // A group's state is what complete minutes decided.
        latest.merge(
            group,
            transition,
            (before, after) -> after.sequence() > before.sequence() ? after : before);
      }
    }
    return new GroupChanges(List.copyOf(removed), new ArrayList<>(latest.values()));
  }
}

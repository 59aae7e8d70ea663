package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.GroupChanges.Group;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingAlerts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GroupChangesTest {

  private static AlertTransition transition(String group, long sequence) {
    return TestingAlerts.transition(
        new TenantId("org-one"), "env-a", "rule-a", group, sequence, Kind.CHANGED);
  }

  private static AlertTransition released(String group, long sequence) {
    return TestingAlerts.released(transition(group, sequence));
  }

  private static Group group(String name) {
    return new Group("rule-a", "group-" + name);
  }

  @Test
  void theHighestSequenceOfAGroupStays() {
    GroupChanges changes =
        GroupChanges.of(
            List.of(
                transition("a", 2), transition("b", 1), transition("a", 3), transition("a", 1)));

    assertThat(changes.removed()).isEmpty();
    assertThat(changes.latest())
        .extracting(AlertTransition::id)
        .containsExactlyInAnyOrder("a-3", "b-1");
  }

  @Test
  void aReleasedGroupIsRemovedAndMayComeAgain() {
    GroupChanges changes =
        GroupChanges.of(
            List.of(transition("a", 7), released("a", 8), transition("b", 1), transition("a", 2)));

    assertThat(changes.removed()).containsExactly(group("a"));
    assertThat(changes.latest())
        .extracting(AlertTransition::id)
        .containsExactlyInAnyOrder("a-2", "b-1");
    assertThat(GroupChanges.of(List.of(transition("a", 7), released("a", 8))).latest()).isEmpty();
  }

  @Test
  void anEarlyTransitionIsNoStateOfItsGroup() {
    GroupChanges changes =
        GroupChanges.of(List.of(TestingAlerts.early(transition("a", 1)), transition("b", 1)));

    assertThat(changes.latest()).extracting(AlertTransition::id).containsExactly("b-1");
  }

  /** Whatever comes in which order, rows are left as one statement a transition leaves them. */
  @Test
  void statesAreThoseOfOneTransitionAfterTheOther() {
    Random random = new Random(133);
    for (int round = 0; round < 500; round++) {
      Map<Group, Long> oneByOne = new HashMap<>();
      oneByOne.put(group("a"), 5L);
      Map<Group, Long> batched = new HashMap<>(oneByOne);
      List<AlertTransition> transitions = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String name = random.nextBoolean() ? "a" : "b";
        long sequence = random.nextInt(10);
        transitions.add(
            random.nextInt(4) == 0 ? released(name, sequence) : transition(name, sequence));
      }

      transitions.forEach(transition -> write(oneByOne, transition));
      GroupChanges changes = GroupChanges.of(transitions);
      changes.removed().forEach(batched::remove);
      changes.latest().forEach(transition -> write(batched, transition));

      assertThat(batched).as("%s", transitions).isEqualTo(oneByOne);
    }
  }

  private static void write(Map<Group, Long> rows, AlertTransition transition) {
    if (transition.released()) {
      rows.remove(Group.of(transition));
    } else {
      rows.merge(Group.of(transition), transition.sequence(), Math::max);
    }
  }
}

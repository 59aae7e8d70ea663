package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.faults.FaultPlan.Lengths;
import io.tidemark.pipeline.faults.FaultPlan.PlannedFault;
import io.tidemark.pipeline.faults.FaultPlan.Targets;
import io.tidemark.stack.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A seed names a run, and runs reach everything. */
class FaultPlanTest {
  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
  private static final List<String> COMPONENTS =
      List.of(
          "network",
          "postgres",
          "zookeeper",
          "kafka",
          "flink-jobmanager",
          "flink-taskmanager",
          "druid-coordinator",
          "druid-broker",
          "druid-historical",
          "druid-historical-hot",
          "druid-indexer",
          "platform-api",
          "druid-indexer-batch");
  private static final Targets LOCAL = new Targets(COMPONENTS, linksWithoutStore(), true);
  private static final Lengths SHORT = new Lengths(Duration.ofSeconds(130), Duration.ZERO, 1);
  private static final Lengths LONG =
      new Lengths(Duration.ofMinutes(10), Duration.ofSeconds(150), 1);

  @Test
  void hurriedFaultsLastAThirdAtMost() {
    Lengths third = new Lengths(Duration.ofSeconds(130), Duration.ZERO, 3);
    List<PlannedFault> faults = FaultPlan.of(7, 200, ALL, LOCAL, third);

    assertThat(faults)
        .filteredOn(fault -> fault.kind() != FaultKind.LONG_FREEZE)
        .allMatch(fault -> fault.down().toMillis() * 3 <= 1_000L * fault.kind().longestSeconds())
        .anyMatch(fault -> fault.down().toSeconds() >= 15);
    assertThat(faults)
        .filteredOn(fault -> fault.kind() == FaultKind.LONG_FREEZE)
        .isNotEmpty()
        .allMatch(fault -> fault.down().toSeconds() == 130);
  }

  private static List<Link> linksWithoutStore() {
    List<Link> links = new ArrayList<>(List.of(Link.values()));
    links.removeAll(Link.to("object-store"));
    return links;
  }

  private static Targets onObjectStore() {
    List<String> components = new ArrayList<>(COMPONENTS);
    components.add("object-store");
    return new Targets(components, List.of(Link.values()), true);
  }

  private static Set<String> targets(List<PlannedFault> faults, FaultKind.Target target) {
    return faults.stream()
        .filter(fault -> fault.kind().target() == target)
        .flatMap(fault -> fault.targets().stream())
        .collect(Collectors.toSet());
  }

  @Test
  void theSameSeedMakesTheSameFaultsAndAnotherDoesNot() {
    List<PlannedFault> faults = FaultPlan.of(7, 60, ALL, LOCAL, SHORT);
    assertThat(FaultPlan.of(7, 60, ALL, LOCAL, SHORT)).isEqualTo(faults).hasSize(60);
    assertThat(FaultPlan.of(8, 60, ALL, LOCAL, SHORT)).isNotEqualTo(faults);
  }

  /** Runs of before there were several processes of platform-api are made again by their seeds. */
  @Test
  void plansOfOldSeedsStayWhatTheyWere() {
    assertThat(List.of(7, 11, 20261131))
        .map(seed -> FaultPlan.of(seed, 300, ALL, LOCAL, SHORT).toString().hashCode())
        .containsExactly(554674919, 1463570029, -1121933325);
  }

  @Test
  void bothProcessesOfPlatformApiAndTheirProxyFail() {
    List<String> components = new ArrayList<>(COMPONENTS);
    components.remove("platform-api");
    List<String> added = List.of("platform-api-1", "platform-api-2", "proxy");
    components.addAll(added);
    for (long seed = 0; seed < 50; seed++) {
      List<PlannedFault> faults =
          FaultPlan.of(seed, 100, ALL, new Targets(components, linksWithoutStore(), true), SHORT);
      Set<String> processes = targets(faults, FaultKind.Target.COMPONENT);
      processes.addAll(targets(faults, FaultKind.Target.TWO_COMPONENTS));
      assertThat(processes).containsAll(added);
      List<PlannedFault> steps =
          FaultPlan.of(
              seed,
              10,
              EnumSet.of(FaultKind.CLOCK_AHEAD),
              new Targets(components, List.of(), true),
              SHORT);
      assertThat(targets(steps, FaultKind.Target.CLOCK))
          .containsExactlyInAnyOrder(
              "kafka", "flink-taskmanager", "flink-jobmanager", "platform-api-1", "platform-api-2");
    }
  }

  @Test
  void everyKindThatIsPossibleOccurs() {
    Set<FaultKind> local = EnumSet.allOf(FaultKind.class);
    local.remove(FaultKind.REFUSING_STORE);
    for (long seed = 0; seed < 200; seed++) {
      assertThat(FaultPlan.of(seed, local.size(), ALL, LOCAL, SHORT))
          .extracting(PlannedFault::kind)
          .containsExactlyInAnyOrderElementsOf(local);
      assertThat(FaultPlan.of(seed, 40, ALL, onObjectStore(), SHORT))
          .extracting(PlannedFault::kind)
          .containsAll(ALL);
    }
  }

  @Test
  void withoutProxiedLinksAndClocksNeitherFails() {
    assertThat(FaultPlan.of(1, 100, ALL, new Targets(COMPONENTS, List.of(), false), SHORT))
        .extracting(PlannedFault::kind)
        .doesNotContain(
            FaultKind.SLOW_LINK,
            FaultKind.SILENT_LINK,
            FaultKind.RESET_LINK,
            FaultKind.REFUSING_STORE,
            FaultKind.CLOCK_AHEAD,
            FaultKind.CLOCK_BEHIND);
  }

  @Test
  void everyComponentAndEveryLinkFailsButNotWhatMakesTheFaults() {
    List<String> components = new ArrayList<>(onObjectStore().components());
    components.remove("network");
    for (long seed = 0; seed < 50; seed++) {
      List<PlannedFault> faults = FaultPlan.of(seed, 100, ALL, onObjectStore(), SHORT);
      Set<String> processes = targets(faults, FaultKind.Target.COMPONENT);
      processes.addAll(targets(faults, FaultKind.Target.TWO_COMPONENTS));
      assertThat(processes).containsExactlyInAnyOrderElementsOf(components);
      assertThat(targets(faults, FaultKind.Target.LINK))
          .containsExactlyInAnyOrderElementsOf(
              onObjectStore().links().stream().map(Link::id).toList());
    }
  }

  @Test
  void twoProcessesThatFailAtTheSameMomentAreTwo() {
    assertThat(FaultPlan.of(3, 50, EnumSet.of(FaultKind.KILL_TWO), LOCAL, SHORT))
        .allSatisfy(fault -> assertThat(fault.targets()).doesNotHaveDuplicates().hasSize(2));
  }

  @Test
  void aLongFreezeTakesWhatIsSetAndComesInLongRunsAgain() {
    List<PlannedFault> faults = FaultPlan.of(11, 300, ALL, LOCAL, LONG);
    assertThat(faults)
        .filteredOn(fault -> fault.kind() == FaultKind.LONG_FREEZE)
        .hasSizeBetween(7, 9)
        .allSatisfy(fault -> assertThat(fault.down()).isEqualTo(Duration.ofMinutes(10)));
  }

  @Test
  void theFirstFaultOfALinkOrDiskLastsWhenThatIsWantedAndNoneOtherwise() {
    for (FaultKind kind : List.of(FaultKind.SLOW_LINK, FaultKind.FULL_DISK)) {
      List<PlannedFault> faults = FaultPlan.of(5, 6, EnumSet.of(kind), LOCAL, LONG);
      assertThat(faults.get(0).down()).isEqualTo(LONG.lasting());
      assertThat(faults.subList(1, 5))
          .allSatisfy(fault -> assertThat(fault.down()).isLessThan(Duration.ofSeconds(60)));
      assertThat(faults.get(5).down()).isEqualTo(LONG.lasting());
      assertThat(FaultPlan.of(5, 6, EnumSet.of(kind), LOCAL, SHORT))
          .allSatisfy(fault -> assertThat(fault.down()).isLessThan(Duration.ofSeconds(60)));
    }
  }
}

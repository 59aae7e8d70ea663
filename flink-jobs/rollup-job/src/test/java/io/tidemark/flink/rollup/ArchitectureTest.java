package io.tidemark.flink.rollup;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import io.tidemark.flink.testing.HouseRules;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Over the model, stream-io, admission and this job. */
class ArchitectureTest {

  private static final JavaClasses CLASSES = HouseRules.productionClasses();

  static Stream<ArchRule> rules() {
    return Stream.of(
        HouseRules.onlyJobsTouchTheEnvironment(),
        HouseRules.onlyStreamIoBuildsConnectors(),
        HouseRules.noCallsToMembersForTests(),
        HouseRules.packagesSayWhatTheyHold(),
        HouseRules.timeAndIdsAreGiven(),
        HouseRules.modelKnowsOnlyJava(),
        HouseRules.packagesPointOneWay(),
        HouseRules.packagesAreNullMarked());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void holds(ArchRule rule) {
    rule.check(CLASSES);
  }

  @Test
  void everyModuleIsSeen() {
    for (String name :
        new String[] {
          "io.tidemark.flink.model.panes.state.KeyGroupPanes",
          "io.tidemark.flink.io.points.fastdecode.BatchDecoder",
          "io.tidemark.flink.io.admission.AdmitBatches",
          "io.tidemark.flink.rollup.RollupJob"
        }) {
      Assertions.assertTrue(CLASSES.contain(name), name);
    }
  }

  /** The rules find what they forbid: seen on a class that breaks them. */
  @Test
  void timeRuleFindsAViolation() {
    JavaClasses violation =
        new com.tngtech.archunit.core.importer.ClassFileImporter()
            .importClasses(ReadsTheClock.class);

    Assertions.assertThrows(
        AssertionError.class, () -> HouseRules.timeAndIdsAreGiven().check(violation));
  }

  @Test
  void nullMarkRuleFindsAPackageWithoutMark() {
    JavaClasses unmarked =
        new com.tngtech.archunit.core.importer.ClassFileImporter().importClasses(List.class);

    Assertions.assertThrows(
        AssertionError.class, () -> HouseRules.packagesAreNullMarked().check(unmarked));
  }

  private static final class ReadsTheClock {
    @SuppressWarnings("unused")
    long now() {
      return System.currentTimeMillis();
    }
  }
}

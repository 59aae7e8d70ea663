package io.tidemark.flink.alert;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import io.tidemark.flink.testing.HouseRules;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Over the model, stream-io and this job. */
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
        HouseRules.packagesAreNullMarked());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void holds(ArchRule rule) {
    rule.check(CLASSES);
  }

  @Test
  void theJobIsSeen() {
    Assertions.assertTrue(CLASSES.contain("io.tidemark.flink.alert.AlertJob"));
  }
}

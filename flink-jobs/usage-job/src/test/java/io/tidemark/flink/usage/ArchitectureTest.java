package io.tidemark.flink.usage;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.tidemark.flink.testing.HouseRules;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void houseRulesHold() {
    JavaClasses classes = HouseRules.productionClasses();

    Assertions.assertTrue(classes.contain("io.tidemark.flink.usage.UsageJob"));
    HouseRules.packagesSayWhatTheyHold().check(classes);
    HouseRules.timeAndIdsAreGiven().check(classes);
    HouseRules.packagesAreNullMarked().check(classes);
  }
}

package io.tidemark.flink.deadletters;

import io.tidemark.flink.testing.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void rulesOfTheHouseHold() {
    var classes = HouseRules.productionClasses();
    HouseRules.packagesSayWhatTheyHold().check(classes);
    HouseRules.timeAndIdsAreGiven().check(classes);
    HouseRules.packagesAreNullMarked().check(classes);
    HouseRules.noCallsToMembersForTests().check(classes);
  }
}

package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class LoadPeriodTest {
  private static final LocalDate TODAY = LocalDate.parse("2026-03-31");
  private final InfraFiles files = new InfraFiles(Path.of("../..").toAbsolutePath().normalize());

  @Test
  void minutesOfThirtyDaysAreKeptAndAllHours() {
    assertThat(LoadPeriod.firstDay(files.json(DruidSetup.loadRules(files, "rollup_1m")), TODAY))
        .isEqualTo("2026-03-01");
    assertThat(LoadPeriod.firstDay(files.json(DruidSetup.loadRules(files, "rollup_1m_hc")), TODAY))
        .isEqualTo("2026-03-01");
    assertThat(LoadPeriod.firstDay(files.json(DruidSetup.loadRules(files, "rollup_1h")), TODAY))
        .isEqualTo(LocalDate.MIN);
  }

  @Test
  void whatIsDroppedFirstIsNotLoaded() throws Exception {
    assertThat(
            LoadPeriod.firstDay(
                EngineClient.JSON.readTree(
                    "[{\"type\":\"dropForever\"},{\"type\":\"loadForever\"}]"),
                TODAY))
        .isAfter(TODAY);
  }

  @Test
  void aRuleOfAnotherKindIsRefusedRatherThanGuessed() throws Exception {
    var rules = EngineClient.JSON.readTree("[{\"type\":\"loadByInterval\"}]");
    assertThatThrownBy(() -> LoadPeriod.firstDay(rules, TODAY))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("loadByInterval");
  }
}

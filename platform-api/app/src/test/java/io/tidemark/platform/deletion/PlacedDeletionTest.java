package io.tidemark.platform.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.druid.DatasourcePlacement;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.retention.Level;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of an organisation go from its own datasources, too. */
class PlacedDeletionTest {

  private static final TenantId LARGE = new TenantId("org-large");
  private static final DatasourcePlacements PLACEMENTS =
      () -> List.of(new DatasourcePlacement(LARGE, "large", Instant.parse("2026-12-01T00:00:00Z")));

  private static DeletionRule of(Level level) {
    return new DeletionRule(level, null, List.of(), null, null);
  }

  @Test
  void everyDatasourceWithRowsOfTheTenantIsLookedAt() {
    assertThat(DeletionTargets.datasources(PLACEMENTS, LARGE))
        .containsExactly(
            "rollup_1m",
            "rollup_1m_large",
            "rollup_1m_hc",
            "rollup_1m_hc_large",
            "rollup_1h",
            "rollup_1h_large",
            "rollup_1d",
            "rollup_1d_large");
    assertThat(DeletionTargets.datasources(PLACEMENTS, new TenantId("org-other")))
        .isEqualTo(DeletionTargets.DATASOURCES);
    assertThat(DeletionTargets.datasources(PLACEMENTS)).hasSize(8);
  }

  @Test
  void aRuleOfALevelIsAboutAllDatasourcesOfTheLevel() {
    for (String datasource :
        List.of("rollup_1m", "rollup_1m_hc", "rollup_1m_large", "rollup_1m_hc_large")) {
      assertThat(of(Level.MINUTES).isAbout(datasource)).as(datasource).isTrue();
      assertThat(of(Level.HOURS).isAbout(datasource)).as(datasource).isFalse();
      assertThat(DeletionTargets.isOfMinutes(datasource)).as(datasource).isTrue();
    }
    for (String datasource : List.of("rollup_1h", "rollup_1h_large")) {
      assertThat(of(Level.HOURS).isAbout(datasource)).as(datasource).isTrue();
      assertThat(of(Level.MINUTES).isAbout(datasource)).as(datasource).isFalse();
      assertThat(DeletionTargets.isOfMinutes(datasource)).as(datasource).isFalse();
    }
    assertThat(of(Level.RAW).isAbout("rollup_1m_large")).isFalse();
    assertThat(DeletionRule.everything().isAbout("rollup_1d_large")).isTrue();
  }
}

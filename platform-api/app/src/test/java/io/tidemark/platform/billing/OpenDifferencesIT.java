package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.testing.RunningPlatform;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Differences are counted over all organisations while they are open. */
@ExtendWith(RunningPlatform.Extension.class)
class OpenDifferencesIT {

  private final RunningPlatform platform;

  OpenDifferencesIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private Map<Difference.Stage, Double> shown() {
    platform.bean(OpenDifferences.class).look();
    Map<Difference.Stage, Double> byStage = new EnumMap<>(Difference.Stage.class);
    for (Difference.Stage stage : Difference.Stage.values()) {
      byStage.put(
          stage,
          platform
              .bean(MeterRegistry.class)
              .get("tidemark.reconciliation.differences")
              .tag("stage", stage.name().toLowerCase(Locale.ROOT))
              .gauge()
              .value());
    }
    return byStage;
  }

  private void differs(String organization, String stage, String metric, String told) {
    assertThat(
            platform
                .database()
                .sql(
                    """
                    INSERT INTO reconciliation_difference (organization_id, hour, environment_id,
                      metric, stage, expected, found, first_seen_at, last_seen_at, told_at)
                    VALUES (:organization, '2020-01-01T00:00:00Z', 'env-open', :metric, :stage, 2, 1,
                      now(), now(), %s)
                    """
                        .formatted(told))
                .param("organization", organization)
                .param("metric", metric)
                .param("stage", stage)
                .update())
        .isEqualTo(1);
  }

  @Test
  void onlyWhatWasFoundTwiceAndIsNotMendedCounts() {
    Map<Difference.Stage, Double> before = shown();
    try {
      differs("org-demo", "lake", "seen-once", "NULL");
      assertThat(shown()).isEqualTo(before);

      differs("org-demo", "lake", "told", "now()");
      differs("org-extra", "lake", "told", "now()");
      differs("org-extra", "rollup_job", "", "now()");
      Map<Difference.Stage, Double> expected = new EnumMap<>(before);
      expected.merge(Difference.Stage.LAKE, 2.0, Double::sum);
      expected.merge(Difference.Stage.ROLLUP_JOB, 1.0, Double::sum);
      assertThat(shown()).isEqualTo(expected);

      platform
          .database()
          .sql(
              "UPDATE reconciliation_difference SET mended_at = now() WHERE environment_id = 'env-open'")
          .update();
      assertThat(shown()).isEqualTo(before);
    } finally {
      platform
          .database()
          .sql("DELETE FROM reconciliation_difference WHERE environment_id = 'env-open'")
          .update();
    }
  }

  @Test
  void aDeletedOrganizationHasNone() {
    Map<Difference.Stage, Double> before = shown();
    try {
      differs("org-nobody", "druid", "told", "now()");
      assertThat(shown()).isEqualTo(before);
    } finally {
      platform
          .database()
          .sql("DELETE FROM reconciliation_difference WHERE environment_id = 'env-open'")
          .update();
    }
  }
}

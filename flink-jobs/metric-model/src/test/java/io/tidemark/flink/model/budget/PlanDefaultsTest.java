package io.tidemark.flink.model.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The plan in the code is that of the contracts, which the control API shows. */
class PlanDefaultsTest {

  @Test
  void limitsAreThoseOfTheContract() throws IOException {
    String plan = Files.readString(Path.of("../../platform-api/contracts/vocabulary/plan.yaml"));
    Map<String, Long> budgets =
        Pattern.compile("^  (\\w+): (\\d+)$", Pattern.MULTILINE)
            .matcher(plan)
            .results()
            .collect(Collectors.toMap(line -> line.group(1), line -> Long.valueOf(line.group(2))));
    TenantLimits limits = PlanDefaults.LIMITS;
    assertEquals(
        Map.of(
            "active_series", limits.activeSeries(),
            "new_series_per_minute", limits.newSeriesPerMinute(),
            "labels_per_series", (long) limits.labelsPerSeries(),
            "label_keys_per_metric", (long) limits.labelKeysPerMetric(),
            "label_value_length", (long) limits.labelValueLength(),
            "series", PlanDefaults.ORGANIZATION.activeSeries(),
            "label_keys", (long) PlanDefaults.ORGANIZATION.labelKeys(),
            "label_keys_per_environment",
                (long) PlanDefaults.ORGANIZATION.labelKeysPerEnvironment()),
        budgets);
  }
}

package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ContractTenant;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.Schemathesis;
import io.tidemark.platform.testing.Schemathesis.Run;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever is sent to the HTTP APIs, well-formed or not, the answer is one that the contract
 * describes: status, headers, type and body; never a 5xx. Some examples of each operation here,
 * many by {@code make test-contract}; a seed makes the same ones again.
 */
@ExtendWith(RunningPlatform.Extension.class)
class ContractConformanceIT {

  private static final String CHECKS =
      "not_a_server_error,status_code_conformance,content_type_conformance,"
          + "response_headers_conformance,response_schema_conformance,ignored_auth";

  private final RunningPlatform platform;
  private final Schemathesis schemathesis = new Schemathesis();

  ContractConformanceIT(RunningPlatform platform) throws Exception {
    this.platform = platform;
  }

  @Test
  void theControlApiAnswersAsItsDocumentSays() throws Exception {
    ContractTenant tenant = new ContractTenant(platform);
    Map<String, String> values = new HashMap<>(tenant.names());
    values.put("TIDEMARK_KEY", tenant.secret());

    assertConforms("control-api.yaml", "control-api.toml", values);
  }

  @Test
  void theMetricsApiAnswersAsItsDocumentSays() throws Exception {
    platform.progress().completeUntil(Instant.now());
    assertConforms(
        "metrics-api.yaml", "metrics-api.toml", Map.of("TIDEMARK_KEY", RunningPlatform.EXTRA_KEY));
  }

  @Test
  void thePrometheusApiAnswersAsItsDocumentSays() throws Exception {
    assertConforms(
        "prometheus-api.yaml",
        "prometheus-api.toml",
        Map.of("TIDEMARK_KEY", RunningPlatform.EXTRA_KEY));
  }

  @Test
  void theBillingApiAnswersAsItsDocumentSays() throws Exception {
    assertConforms(
        "billing-api.yaml", "billing-api.toml", Map.of("TIDEMARK_KEY", RunningPlatform.DEMO_KEY));
  }

  private void assertConforms(String document, String configuration, Map<String, String> values)
      throws Exception {
    int examples = Integer.getInteger("contract.examples", 3);
    String seed = Long.toString(Long.getLong("contract.seed", 20261121));
    Run run =
        schemathesis.test(
            document,
            platform.api("").toString(),
            configuration,
            values,
            "--checks",
            CHECKS,
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            Integer.toString(examples),
            "--seed",
            seed,
            "--continue-on-failure");
    assertThat(run.exit()).as(run.told()).isZero();
    assertThat(run.told()).as("what was tested").contains("passed");
  }
}

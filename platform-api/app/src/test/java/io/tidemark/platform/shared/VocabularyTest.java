package io.tidemark.platform.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.tenancy.Budgets;
import io.tidemark.platform.testing.Contracts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Constants in the code equal the closed lists of the contracts. */
class VocabularyTest {

  @Test
  void errorCodesAndTheirStatus() {
    Map<Object, Object> contract =
        Contracts.list("vocabulary/errors.yaml", "errors").stream()
            .collect(Collectors.toMap(error -> error.get("code"), error -> error.get("status")));
    Map<Object, Object> code =
        Arrays.stream(ErrorCode.values())
            .collect(Collectors.toMap(ErrorCode::wireName, ErrorCode::status));
    assertThat(code).isEqualTo(contract);
  }

  @Test
  void permissions() {
    assertThat(Arrays.stream(Permission.values()).map(Permission::wireName))
        .containsExactlyInAnyOrderElementsOf(names("vocabulary/permissions.yaml", "permissions"));
  }

  @Test
  void rolesAndWhatTheyMayDo() {
    Map<Object, Set<?>> contract =
        Contracts.list("vocabulary/permissions.yaml", "roles").stream()
            .collect(
                Collectors.toMap(
                    role -> role.get("name"),
                    role -> Set.copyOf((List<?>) role.get("permissions"))));
    Map<Object, Set<?>> code =
        Arrays.stream(Role.values())
            .collect(
                Collectors.toMap(
                    Role::wireName,
                    role ->
                        role.permissions().stream()
                            .map(Permission::wireName)
                            .collect(Collectors.toSet())));
    assertThat(code).isEqualTo(contract);
    assertThat(code.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(io.tidemark.contracts.controlapi.model.Role.values())
                .map(io.tidemark.contracts.controlapi.model.Role::getValue)
                .toList());
  }

  @Test
  void budgetsOfThePlan() {
    Map<String, Object> contract = new Yaml().load(Contracts.text("vocabulary/plan.yaml"));
    assertThat(contract.get("when_series_exceeded"))
        .isEqualTo(Budgets.PLAN.seriesOverrunPolicy().wireName());
    assertThat(contract.get("budgets"))
        .isEqualTo(
            Map.of(
                "active_series", Budgets.PLAN.activeSeries().intValue(),
                "new_series_per_minute", Budgets.PLAN.newSeriesPerMinute().intValue(),
                "labels_per_series", Budgets.PLAN.labelsPerSeries(),
                "label_keys_per_metric", Budgets.PLAN.labelKeysPerMetric(),
                "label_value_length", Budgets.PLAN.labelValueLength()));
  }

  @Test
  void aggregations() {
    assertThat(Arrays.stream(AggregationFunction.values()).map(Enum::name))
        .containsExactlyInAnyOrderElementsOf(names("vocabulary/aggregations.yaml", "aggregations"));
  }

  @Test
  void rejectionReasonsOfTheGateway() {
    List<String> contract =
        Contracts.list("vocabulary/rejection-reasons.yaml", "reasons").stream()
            .filter(reason -> ((List<?>) reason.get("at")).contains("gateway"))
            .map(reason -> (String) reason.get("name"))
            .toList();
    assertThat(Arrays.stream(RejectionReason.values()).map(Enum::name))
        .containsExactlyInAnyOrderElementsOf(contract);
  }

  @Test
  void rejectionReasonsOfDeadLetters() {
    List<String> proto =
        Pattern.compile("\\bREASON_(\\w+) = [1-9]")
            .matcher(Contracts.text("events/tidemark/deadletter/v1/dead_letter.proto"))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(proto)
        .containsExactlyElementsOf(names("vocabulary/rejection-reasons.yaml", "reasons"));
  }

  private static List<String> names(String file, String key) {
    return Contracts.list(file, key).stream().map(item -> (String) item.get("name")).toList();
  }
}

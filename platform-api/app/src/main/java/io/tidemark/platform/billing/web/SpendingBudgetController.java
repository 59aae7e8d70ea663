package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.SpendingBudgetApi;
import io.tidemark.contracts.controlapi.model.ReachedThreshold;
import io.tidemark.contracts.controlapi.model.SpendingBudgetDraft;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.SpendingBudgets;
import io.tidemark.platform.billing.domain.SpendingBudget;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** The budget of a month of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class SpendingBudgetController implements SpendingBudgetApi {

  private static final String TYPE = "spending_budget";

  private final ControlApiGuard guard;
  private final SpendingBudgets budgets;

  SpendingBudgetController(ControlApiGuard guard, SpendingBudgets budgets) {
    this.guard = guard;
    this.budgets = budgets;
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.SpendingBudget> getSpendingBudget(
      String organizationId) {
    ControlApiCall call =
        guard.enter(
            organizationId, Permission.BILLING_READ, "spending_budget.read", TYPE, organizationId);
    return answer(budgets.get(call.organization()));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.SpendingBudget> changeSpendingBudget(
      String organizationId, SpendingBudgetDraft draft, @Nullable String ifMatch) {
    String action = "spending_budget.change";
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_WRITE, action, TYPE, organizationId);
    if (draft.getPointsPerSecond() != null) {
      guard.enter(organizationId, Permission.ORGANIZATION_WRITE, action, TYPE, organizationId);
    }
    ExpectedVersion expected = EntityTags.required(ifMatch);
    return answer(budgets.change(call.organization(), call.actor(), expected, budget(draft)));
  }

  private static SpendingBudget budget(SpendingBudgetDraft draft) {
    List<String> faults = new ArrayList<>();
    BigDecimal amount =
        draft.getAmount() == null ? null : DecimalFields.read("amount", draft.getAmount(), faults);
    List<Integer> thresholds =
        draft.getThresholds() == null
            ? SpendingBudget.USUAL_THRESHOLDS
            : named("thresholds", draft.getThresholds(), faults);
    List<String> integrations =
        draft.getIntegrationIds() == null
            ? List.of()
            : named("integration_ids", draft.getIntegrationIds(), faults);
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return new SpendingBudget(amount, thresholds, draft.getPointsPerSecond(), integrations);
  }

  private static <T> List<T> named(String field, List<T> sent, List<String> faults) {
    if (sent.stream().anyMatch(Objects::isNull)) {
      faults.add(field + " must not hold null.");
    }
    return sent.stream().filter(Objects::nonNull).toList();
  }

  private static ResponseEntity<io.tidemark.contracts.controlapi.model.SpendingBudget> answer(
      SpendingBudgets.Standing standing) {
    SpendingBudget budget = standing.budget();
    return ResponseEntity.ok()
        .eTag(EntityTags.of(standing.version()))
        .body(
            new io.tidemark.contracts.controlapi.model.SpendingBudget(
                    new SpendingBudgetDraft()
                        .amount(budget.amount() == null ? null : budget.amount().toPlainString())
                        .thresholds(budget.thresholds())
                        .pointsPerSecond(budget.pointsPerSecond())
                        .integrationIds(budget.integrations()),
                    standing.period().toString(),
                    standing.currency(),
                    standing.spent().toPlainString(),
                    standing.reached().stream()
                        .map(
                            one ->
                                new ReachedThreshold(
                                    one.percent(),
                                    one.spent().stripTrailingZeros().toPlainString(),
                                    one.reachedAt().atOffset(ZoneOffset.UTC)))
                        .toList())
                .quotaLoweredTo(standing.loweredTo()));
  }
}

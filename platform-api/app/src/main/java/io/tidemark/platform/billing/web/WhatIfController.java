package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.WhatIfApi;
import io.tidemark.contracts.controlapi.model.AffectedDashboard;
import io.tidemark.contracts.controlapi.model.AffectedRule;
import io.tidemark.contracts.controlapi.model.MetricReads;
import io.tidemark.contracts.controlapi.model.WhatIfDraft;
import io.tidemark.contracts.controlapi.model.WhatIfMetric;
import io.tidemark.contracts.controlapi.model.WhatIfSeriesBudget;
import io.tidemark.contracts.controlapi.model.WhatIfStorage;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.Meters;
import io.tidemark.platform.billing.UsageReduction;
import io.tidemark.platform.billing.WhatIf;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Prices of other months than those that were. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class WhatIfController implements WhatIfApi {

  private static final int MAX = 100;

  private static final Function<WhatIfMetric, Integer> PERCENT = WhatIfMetric::getKeepPercent;

  private final ControlApiGuard guard;
  private final WhatIf whatIf;
  private final InvoiceMapping mapping;

  WhatIfController(ControlApiGuard guard, WhatIf whatIf, Meters meters) {
    this.guard = guard;
    this.whatIf = whatIf;
    this.mapping = new InvoiceMapping(meters);
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.WhatIf> askWhatIf(
      String organizationId, WhatIfDraft draft) {
    ControlApiCall call =
        guard.enter(
            organizationId, Permission.BILLING_READ, "usage.what_if", "usage", organizationId);
    if (draft.getMetrics() == null) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "metrics must be a list; an empty one changes no metric.");
    }
    WhatIf.Answer answer =
        whatIf.ask(
            call.organization(),
            draft.getPeriod(),
            new UsageReduction(
                kept("metrics", draft.getMetrics(), WhatIfMetric::getMetric, PERCENT),
                kept("series", draft.getSeries(), WhatIfMetric::getMetric, PERCENT),
                kept(
                    "storage",
                    draft.getStorage(),
                    WhatIfStorage::getLevel,
                    WhatIfStorage::getKeepPercent),
                kept(
                    "series_budgets",
                    draft.getSeriesBudgets(),
                    WhatIfSeriesBudget::getEnvironmentId,
                    WhatIfSeriesBudget::getSeries)));
    return ResponseEntity.ok(
        new io.tidemark.contracts.controlapi.model.WhatIf(
                mapping.invoice(answer.current(), null),
                mapping.invoice(answer.preview(), null),
                answer.preview().subtotal().subtract(answer.current().subtotal()).toPlainString(),
                answer.affected().stream()
                    .map(
                        one ->
                            new AffectedRule(
                                one.environment(), one.rule(), one.name(), one.metric()))
                    .toList())
            .affectedDashboards(
                answer.dashboards().stream()
                    .map(one -> new AffectedDashboard(one.id(), one.title(), one.metric()))
                    .toList())
            .reads(
                answer.reads().stream()
                    .map(one -> new MetricReads(one.metric(), one.queries().toPlainString()))
                    .toList()));
  }

  private static <T, V> Map<String, V> kept(
      String field, @Nullable List<T> list, Function<T, String> name, Function<T, V> value) {
    Map<String, V> kept = new LinkedHashMap<>();
    if (list == null) {
      return kept;
    }
    if (list.size() > MAX) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, field + " must be a list of at most " + MAX + ".");
    }
    for (T one : list) {
      if (one == null || name.apply(one) == null || value.apply(one) == null) {
        throw ProblemException.of(
            ErrorCode.INVALID_REQUEST, field + ": an entry lacks one of its two fields.");
      }
      kept.put(name.apply(one), value.apply(one));
    }
    return kept;
  }
}

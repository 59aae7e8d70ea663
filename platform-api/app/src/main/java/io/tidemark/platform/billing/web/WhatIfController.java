package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.WhatIfApi;
import io.tidemark.contracts.controlapi.model.AffectedRule;
import io.tidemark.contracts.controlapi.model.WhatIfDraft;
import io.tidemark.contracts.controlapi.model.WhatIfMetric;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.Meters;
import io.tidemark.platform.billing.WhatIf;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Prices of other months than those that were. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class WhatIfController implements WhatIfApi {

  private static final int MOST = 100;

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
    WhatIf.Answer answer =
        whatIf.ask(call.organization(), draft.getPeriod(), kept(draft.getMetrics()));
    return ResponseEntity.ok(
        new io.tidemark.contracts.controlapi.model.WhatIf(
            mapping.invoice(answer.current(), null),
            mapping.invoice(answer.preview(), null),
            answer.preview().subtotal().subtract(answer.current().subtotal()).toPlainString(),
            answer.affected().stream()
                .map(
                    one ->
                        new AffectedRule(one.environment(), one.rule(), one.name(), one.metric()))
                .toList()));
  }

  private static Map<String, Integer> kept(List<WhatIfMetric> metrics) {
    if (metrics == null || metrics.size() > MOST) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "metrics must be a list of at most " + MOST + ".");
    }
    Map<String, Integer> kept = new LinkedHashMap<>();
    for (WhatIfMetric metric : metrics) {
      if (metric == null || metric.getMetric() == null || metric.getKeepPercent() == null) {
        throw ProblemException.of(
            ErrorCode.INVALID_REQUEST, "metrics: each has metric and keep_percent.");
      }
      kept.put(metric.getMetric(), metric.getKeepPercent());
    }
    return kept;
  }
}

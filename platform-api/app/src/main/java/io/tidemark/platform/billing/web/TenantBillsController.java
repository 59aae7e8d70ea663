package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.TenantBillsApi;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.contracts.controlapi.model.TenantBill;
import io.tidemark.contracts.controlapi.model.TenantBillPage;
import io.tidemark.contracts.controlapi.model.TenantMeterCost;
import io.tidemark.contracts.controlapi.model.TenantPlanPrice;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.TenantBills;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Bills of all tenants, for who runs Tidemark. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class TenantBillsController implements TenantBillsApi {

  private static final String ACTION = "tenant_bills.list";
  private static final String TYPE = "invoice";

  private final ControlApiGuard guard;
  private final TenantBills bills;

  TenantBillsController(ControlApiGuard guard, TenantBills bills) {
    this.guard = guard;
    this.bills = bills;
  }

  @Override
  public ResponseEntity<TenantBillPage> listTenantBills(
      String organizationId, @Nullable String period, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_WRITE, ACTION, TYPE, organizationId);
    if (!call.organization().equals(TenantId.PLATFORM)) {
      throw guard.refuse(
          call,
          ACTION,
          TYPE,
          organizationId,
          ProblemException.of(
              ErrorCode.FORBIDDEN,
              "Bills of all tenants are for who runs Tidemark. Your own are at /invoices."));
    }
    Page<TenantBills.TenantBill> page = bills.list(period, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new TenantBillPage(
            page.items().stream().map(TenantBillsController::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  private static TenantBill shown(TenantBills.TenantBill bill) {
    return new TenantBill(
            bill.organization().value(),
            bill.charged().plan(),
            bill.charged().currency(),
            bill.points().toPlainString(),
            bill.previousPoints().toPlainString(),
            bill.charged().charged().toPlainString(),
            bill.byPlan().stream()
                .map(
                    price ->
                        new TenantPlanPrice(
                            price.plan(), price.currency(), price.charged().toPlainString()))
                .toList())
        .cost(text(bill.cost()))
        .margin(text(bill.margin()))
        .costs(
            bill.costs().stream()
                .map(
                    one ->
                        new TenantMeterCost(
                            one.meter(), one.units().toPlainString(), text(one.cost())))
                .toList());
  }

  private static @Nullable String text(@Nullable BigDecimal amount) {
    return amount == null
        ? null
        : amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
  }
}

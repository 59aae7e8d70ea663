package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.BillingApi;
import io.tidemark.contracts.controlapi.model.InvoiceList;
import io.tidemark.contracts.controlapi.model.OrganizationPlan;
import io.tidemark.contracts.controlapi.model.PlanChoice;
import io.tidemark.contracts.controlapi.model.PlanDocument;
import io.tidemark.contracts.controlapi.model.PlanPreview;
import io.tidemark.contracts.controlapi.model.PlanPreviewDraft;
import io.tidemark.contracts.controlapi.model.PlanVersion;
import io.tidemark.contracts.controlapi.model.UsageCosts;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.Costs;
import io.tidemark.platform.billing.InvoiceParties;
import io.tidemark.platform.billing.Invoices;
import io.tidemark.platform.billing.Meters;
import io.tidemark.platform.billing.Plans;
import io.tidemark.platform.billing.document.FocusCsv;
import io.tidemark.platform.billing.document.InvoiceCsv;
import io.tidemark.platform.billing.document.InvoicePdf;
import io.tidemark.platform.billing.document.Parties;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.MeterCost;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Plans and invoices of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class BillingController implements BillingApi {

  private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

  private final ControlApiGuard guard;
  private final PlatformOperator operator;
  private final Plans plans;
  private final Invoices invoices;
  private final InvoiceMapping mapping;
  private final Costs costs;
  private final InvoiceParties parties;
  private final Meters meters;

  BillingController(
      ControlApiGuard guard,
      PlatformOperator operator,
      Plans plans,
      Invoices invoices,
      Meters meters,
      Costs costs,
      InvoiceParties parties) {
    this.guard = guard;
    this.operator = operator;
    this.plans = plans;
    this.invoices = invoices;
    this.mapping = new InvoiceMapping(meters);
    this.costs = costs;
    this.parties = parties;
    this.meters = meters;
  }

  private ControlApiCall enter(String organization, Permission needed, String action, String type) {
    return guard.enter(organization, needed, action, type, organization);
  }

  @Override
  public ResponseEntity<OrganizationPlan> getPlan(String organizationId) {
    ControlApiCall call = enter(organizationId, Permission.BILLING_READ, "plan.read", "plan");
    return answer(plans.get(call.organization()));
  }

  @Override
  public ResponseEntity<OrganizationPlan> choosePlan(
      String organizationId, PlanChoice choice, @Nullable String ifMatch) {
    ControlApiCall call = enter(organizationId, Permission.BILLING_WRITE, "plan.choose", "plan");
    ExpectedVersion expected = EntityTags.required(ifMatch);
    PricePlan plan = plan(choice.getPlan(), choice.getCustom());
    int trialDays = choice.getTrialDays() == null ? 0 : choice.getTrialDays();
    if (choice.getCustom() != null || trialDays != 0) {
      operator.require(
          call,
          "plan.choose",
          "plan",
          "custom and trial_days can only be set by who runs Tidemark. Choose one of the plans by"
              + " its name, or ask them.");
    }
    return answer(
        plans.choose(
            call.organization(),
            call.actor(),
            expected,
            plan,
            choice.getEffectiveFrom(),
            trialDays));
  }

  private PricePlan plan(@Nullable String name, @Nullable PlanDocument custom) {
    if ((name == null) == (custom == null)) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "Give plan, the name of a choice, or custom; one of both.");
    }
    return name == null ? PlanMapping.plan(custom) : plans.named(name);
  }

  private static ResponseEntity<OrganizationPlan> answer(Plans.OfOrganization plans) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(plans.version()))
        .body(
            new OrganizationPlan(
                PlanMapping.document(plans.current()),
                plans.versions().stream()
                    .map(
                        version ->
                            new PlanVersion(
                                version.version(),
                                version.effectiveFrom(),
                                PlanMapping.document(version.plan())))
                    .toList(),
                plans.choices().stream().map(PlanMapping::document).toList()));
  }

  @Override
  public ResponseEntity<PlanPreview> previewPlan(String organizationId, PlanPreviewDraft draft) {
    ControlApiCall call = enter(organizationId, Permission.BILLING_READ, "plan.preview", "plan");
    PricePlan plan = plan(draft.getPlan(), draft.getCustom());
    plans.check(plan);
    Invoice now = invoices.asPlanned(call.organization(), draft.getPeriod());
    Invoice then = invoices.preview(call.organization(), draft.getPeriod(), plan);
    return ResponseEntity.ok(
        new PlanPreview(
            mapping.invoice(now, null),
            mapping.invoice(then, null),
            now.currency().equals(then.currency())
                ? then.subtotal().subtract(now.subtotal()).toPlainString()
                : ""));
  }

  @Override
  public ResponseEntity<InvoiceList> listInvoices(String organizationId) {
    ControlApiCall call =
        enter(organizationId, Permission.BILLING_READ, "invoices.list", "invoice");
    return ResponseEntity.ok(
        new InvoiceList(
            invoices.list(call.organization()).stream()
                .map(issued -> mapping.summary(issued.invoice()))
                .toList()));
  }

  @Override
  public ResponseEntity<io.tidemark.contracts.controlapi.model.Invoice> getInvoice(
      String organizationId, String period) {
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_READ, "invoice.read", "invoice", period);
    Invoices.Issued issued = invoices.get(call.organization(), period);
    return ResponseEntity.ok()
        .eTag(EntityTags.of(issued.invoice().throughSequence()))
        .body(mapping.invoice(issued.invoice(), issued.hash()));
  }

  @Override
  public ResponseEntity<Resource> getInvoiceDocument(
      String organizationId, String period, @Nullable String format) {
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_READ, "invoice.read", "invoice", period);
    Invoices.Issued issued = invoices.get(call.organization(), period);
    Parties of = parties.of(call.organization());
    String name = call.organization().value() + "-" + period;
    if (format == null || format.equals("pdf")) {
      return file(
          MediaType.APPLICATION_PDF,
          name + ".pdf",
          InvoicePdf.of(issued.invoice(), issued.hash(), of, this::unit));
    }
    if (format.equals("csv")) {
      return file(CSV, name + ".csv", bytes(InvoiceCsv.of(issued.invoice(), of)));
    }
    throw ProblemException.of(ErrorCode.INVALID_REQUEST, "format must be pdf or csv.");
  }

  @Override
  public ResponseEntity<Resource> exportFocus(String organizationId, String period) {
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_READ, "costs.export", "invoice", period);
    Costs.OfPeriod divided = costs.of(call.organization(), period);
    return file(
        CSV,
        call.organization().value() + "-" + period + "-focus.csv",
        bytes(
            FocusCsv.of(
                divided.issued().invoice(),
                divided.costs(),
                parties.of(call.organization()),
                this::unit)));
  }

  @Override
  public ResponseEntity<UsageCosts> getUsageCosts(
      String organizationId,
      String period,
      @Nullable String environmentId,
      @Nullable String resourceType,
      @Nullable String resourceId) {
    ControlApiCall call =
        guard.enter(organizationId, Permission.BILLING_READ, "costs.read", "invoice", period);
    Costs.OfPeriod divided = costs.of(call.organization(), period);
    return ResponseEntity.ok(
        mapping.costs(
            divided.issued().invoice(),
            MeterCost.of(
                divided.costs(),
                subject ->
                    (environmentId == null || environmentId.equals(subject.environment()))
                        && (resourceType == null || resourceType.equals(subject.resourceType()))
                        && (resourceId == null || resourceId.equals(subject.resourceId())))));
  }

  private String unit(String meter) {
    return Objects.requireNonNull(meters.find(meter)).unit();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ResponseEntity<Resource> file(MediaType type, String name, byte[] bytes) {
    return ResponseEntity.ok()
        .contentType(type)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            ContentDisposition.attachment().filename(name).build().toString())
        .body(new ByteArrayResource(bytes));
  }
}

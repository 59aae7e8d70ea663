package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.ReconciliationApi;
import io.tidemark.contracts.controlapi.model.MeasuredHour;
import io.tidemark.contracts.controlapi.model.ReconciledHour;
import io.tidemark.contracts.controlapi.model.Reconciliation;
import io.tidemark.contracts.controlapi.model.ReconciliationCheck;
import io.tidemark.contracts.controlapi.model.ReconciliationDifference;
import io.tidemark.contracts.controlapi.model.ReconciliationRepair;
import io.tidemark.contracts.controlapi.model.ReconciliationRepairDraft;
import io.tidemark.contracts.controlapi.model.ReconciliationStatement;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.Difference;
import io.tidemark.platform.billing.Reconciler;
import io.tidemark.platform.billing.ReconciliationStatements;
import io.tidemark.platform.billing.ReconciliationWatcher;
import io.tidemark.platform.billing.UsageRepair;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Reconciliation of the control API: what every stage has, signed statements, repairs. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class ReconciliationController implements ReconciliationApi {

  private static final Duration LONGEST_REPAIR = Duration.ofDays(7);

  private final ControlApiGuard guard;
  private final Reconciler reconciler;
  private final ReconciliationWatcher watcher;
  private final ReconciliationStatements statements;
  private final UsageRepair repairs;
  private final TenantTransactions transactions;
  private final AuditLog audit;
  private final Clock clock;

  ReconciliationController(
      ControlApiGuard guard,
      Reconciler reconciler,
      ReconciliationWatcher watcher,
      ReconciliationStatements statements,
      UsageRepair repairs,
      TenantTransactions transactions,
      AuditLog audit,
      Clock clock) {
    this.guard = guard;
    this.reconciler = reconciler;
    this.watcher = watcher;
    this.statements = statements;
    this.repairs = repairs;
    this.transactions = transactions;
    this.audit = audit;
    this.clock = clock;
  }

  private ControlApiCall enter(String organization, Permission needed, String action) {
    return guard.enter(organization, needed, action, "reconciliation", organization);
  }

  @Override
  public ResponseEntity<Reconciliation> getReconciliation(
      String organizationId,
      @Nullable Boolean lake,
      @Nullable OffsetDateTime from,
      @Nullable OffsetDateTime to) {
    ControlApiCall call = enter(organizationId, Permission.BILLING_READ, "reconciliation.read");
    TimeSpan span = TimeSpan.of(from, to, clock.instant());
    Reconciler.Report report =
        reconciler.reconcile(
            call.organization(), span.from(), span.to(), Boolean.TRUE.equals(lake));
    return ResponseEntity.ok(
        new Reconciliation(
                utc(span.from()),
                utc(span.to()),
                report.agrees(),
                report.hours().stream().map(ReconciliationController::shown).toList(),
                report.differences().stream().map(Difference::sentence).toList())
            .measuredHours(report.measured().stream().map(ReconciliationController::shown).toList())
            .found(report.differences().stream().map(ReconciliationController::shown).toList())
            .checks(
                watcher.checks(call.organization(), span.from(), span.to()).stream()
                    .map(
                        one ->
                            new ReconciliationCheck(
                                utc(one.hour()),
                                utc(one.checkedAt()),
                                one.agrees(),
                                one.withStores()))
                    .toList()));
  }

  @Override
  public ResponseEntity<ReconciliationStatement> stateReconciliation(
      String organizationId,
      @Nullable Boolean lake,
      @Nullable OffsetDateTime from,
      @Nullable OffsetDateTime to) {
    ControlApiCall call = enter(organizationId, Permission.BILLING_READ, "reconciliation.state");
    TimeSpan span = TimeSpan.of(from, to, clock.instant());
    ReconciliationStatements.Signed signed =
        statements.state(call.organization(), span.from(), span.to(), Boolean.TRUE.equals(lake));
    return ResponseEntity.ok(
        new ReconciliationStatement(
            signed.text(),
            ReconciliationStatement.AlgorithmEnum.ED25519,
            signed.signature(),
            signed.publicKey()));
  }

  @Override
  public ResponseEntity<ReconciliationRepair> repairReconciliation(
      String organizationId, ReconciliationRepairDraft draft) {
    ControlApiCall call = enter(organizationId, Permission.BILLING_WRITE, "reconciliation.repair");
    if (draft.getFrom() == null || draft.getTo() == null) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "from and to are needed, as in 2026-11-01T00:00:00Z.");
    }
    Instant from = draft.getFrom().toInstant().truncatedTo(ChronoUnit.HOURS);
    Instant to = draft.getTo().toInstant();
    if (!from.isBefore(to) || Duration.between(from, to).compareTo(LONGEST_REPAIR) > 0) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "from must be before to, at most " + LONGEST_REPAIR.toDays() + " days.");
    }
    UsageRepair.Repaired repaired = repairs.repair(call.organization(), from, to);
    transactions.run(
        call.organization(),
        () ->
            audit.done(
                call.organization(),
                call.actor(),
                "reconciliation.repair",
                "reconciliation",
                call.organization().value(),
                null,
                Map.of(
                    "from", from.toString(),
                    "to", to.toString(),
                    "entered", repaired.entered())));
    return ResponseEntity.ok(new ReconciliationRepair(repaired.records(), repaired.entered()));
  }

  private static ReconciledHour shown(Reconciler.Hour hour) {
    return new ReconciledHour(
            utc(hour.start()),
            hour.environment(),
            ReconciledHour.StateEnum.fromValue(hour.state().name().toLowerCase(Locale.ROOT)),
            hour.acknowledged().toPlainString(),
            hour.metered().toPlainString(),
            hour.setAside().toPlainString(),
            hour.withoutValue().toPlainString(),
            hour.difference().toPlainString())
        .invoiced(hour.invoiced().toPlainString())
        .takenByRollup(hour.takenByRollup() == null ? null : hour.takenByRollup().toPlainString())
        .inLake(hour.inLake() == null ? null : hour.inLake().toPlainString());
  }

  private static MeasuredHour shown(Reconciler.MeasuredEnvironment hour) {
    return new MeasuredHour(
        utc(hour.start()),
        hour.environment(),
        MeasuredHour.StateEnum.fromValue(hour.state().name().toLowerCase(Locale.ROOT)),
        hour.inLake().toPlainString(),
        hour.rolledUp().toPlainString(),
        hour.inRows().toPlainString(),
        hour.inDruid().toPlainString());
  }

  private static ReconciliationDifference shown(Difference one) {
    return new ReconciliationDifference(
        utc(one.hour()),
        one.environment(),
        one.metric(),
        ReconciliationDifference.StageEnum.fromValue(one.stage().name().toLowerCase(Locale.ROOT)),
        one.expected().toPlainString(),
        one.found().toPlainString(),
        one.repair(),
        one.isRepairable());
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}

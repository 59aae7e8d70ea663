package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.UsageApi;
import io.tidemark.contracts.controlapi.model.LedgerVerification;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.contracts.controlapi.model.UsageGroup;
import io.tidemark.contracts.controlapi.model.UsagePage;
import io.tidemark.contracts.controlapi.model.UsageReceipt;
import io.tidemark.contracts.controlapi.model.UsageReceiptPage;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.billing.LedgerVerifier;
import io.tidemark.platform.billing.UsageQuery;
import io.tidemark.platform.billing.UsageReport;
import io.tidemark.platform.billing.UsageSum;
import io.tidemark.platform.receipts.ReceivedBatch;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Usage of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class UsageController implements UsageApi {

  private final ControlApiGuard guard;
  private final UsageReport report;
  private final LedgerVerifier verifier;
  private final Clock clock;

  UsageController(ControlApiGuard guard, UsageReport report, LedgerVerifier verifier, Clock clock) {
    this.guard = guard;
    this.report = report;
    this.verifier = verifier;
    this.clock = clock;
  }

  /** A permission in the environment is enough to see its part. */
  private ControlApiCall enter(String organization, @Nullable String environment, String action) {
    return environment == null
        ? guard.enter(organization, Permission.USAGE_READ, action, "usage", organization)
        : guard.enterEnvironment(
            organization, environment, Permission.USAGE_READ, action, "environment");
  }

  @Override
  public ResponseEntity<UsagePage> getUsage(
      String organizationId,
      @Nullable OffsetDateTime from,
      @Nullable OffsetDateTime to,
      String meter,
      String by,
      @Nullable String environmentId,
      @Nullable String resourceType,
      @Nullable String resourceId,
      @Nullable String metric,
      Integer limit,
      @Nullable String cursor) {
    ControlApiCall call = enter(organizationId, environmentId, "usage.read");
    TimeSpan span = TimeSpan.of(from, to, clock.instant());
    UsageGroup group = group(by);
    UsageQuery query =
        new UsageQuery(
            meter == null ? "points" : meter,
            span.from(),
            span.to(),
            UsageQuery.Group.valueOf(group.name()),
            environmentId,
            resourceType,
            resourceId,
            metric);
    UsageReport.Sums sums = report.sums(call.organization(), query, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new UsagePage(
            sums.meter().name(),
            sums.meter().unit(),
            utc(span.from()),
            utc(span.to()),
            group,
            sums.total().toPlainString(),
            sums.page().items().stream().map(UsageController::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(sums.page().next()))));
  }

  private static UsageGroup group(String by) {
    if (by == null) {
      return UsageGroup.METRIC;
    }
    try {
      return UsageGroup.fromValue(by);
    } catch (IllegalArgumentException unknown) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "by must be one of environment, resource, metric, day and hour.");
    }
  }

  private static io.tidemark.contracts.controlapi.model.UsageSum shown(UsageSum sum) {
    return new io.tidemark.contracts.controlapi.model.UsageSum(sum.units().toPlainString())
        .environmentId(sum.environment())
        .resourceType(sum.resourceType())
        .resourceId(sum.resourceId())
        .metric(sum.metric())
        .start(utc(sum.start()));
  }

  @Override
  public ResponseEntity<UsageReceiptPage> listUsageReceipts(
      String organizationId,
      @Nullable String environmentId,
      @Nullable OffsetDateTime hour,
      Integer limit,
      @Nullable String cursor) {
    ControlApiCall call = enter(organizationId, environmentId, "usage.receipts");
    Instant start = hour == null ? clock.instant().truncatedTo(ChronoUnit.HOURS) : hour.toInstant();
    Page<ReceivedBatch> page =
        report.batches(call.organization(), environmentId, start, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new UsageReceiptPage(
            page.items().stream()
                .map(
                    batch ->
                        new UsageReceipt(
                            batch.batchId(),
                            utc(batch.receivedAt()),
                            batch.points(),
                            batch.countedPoints()))
                .toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<LedgerVerification> verifyUsage(String organizationId) {
    ControlApiCall call =
        guard.enter(
            organizationId, Permission.BILLING_READ, "usage.verify", "usage", organizationId);
    LedgerVerifier.Verification found = verifier.verify(call.organization());
    return ResponseEntity.ok(
        new LedgerVerification(found.faults().isEmpty(), found.entries(), found.faults())
            .lastHash(found.lastHash()));
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}

package io.tidemark.platform.deletion.web;

import io.tidemark.contracts.controlapi.DeletionsApi;
import io.tidemark.contracts.controlapi.model.Deletion;
import io.tidemark.contracts.controlapi.model.DeletionDraft;
import io.tidemark.contracts.controlapi.model.DeletionEffect;
import io.tidemark.contracts.controlapi.model.DeletionEffectOnStore;
import io.tidemark.contracts.controlapi.model.DeletionKind;
import io.tidemark.contracts.controlapi.model.DeletionPage;
import io.tidemark.contracts.controlapi.model.DeletionState;
import io.tidemark.contracts.controlapi.model.DeletionStep;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.deletion.DataDeletion;
import io.tidemark.platform.deletion.DataDeletions;
import io.tidemark.platform.deletion.DruidDeletionStep;
import io.tidemark.platform.deletion.LakeDeletionStep;
import io.tidemark.platform.deletion.RegionSteps;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Removals of data of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class DeletionsController implements DeletionsApi {

  private final ControlApiGuard guard;
  private final DataDeletions removals;
  private final Clock clock;

  DeletionsController(ControlApiGuard guard, DataDeletions removals, Clock clock) {
    this.guard = guard;
    this.removals = removals;
    this.clock = clock;
  }

  private ControlApiCall enter(
      String organization, String environment, Permission needed, String action) {
    return guard.enterEnvironment(organization, environment, needed, action, "deletion");
  }

  @Override
  public ResponseEntity<DeletionPage> listDeletions(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        enter(organizationId, environmentId, Permission.RETENTION_READ, "deletion.list");
    Page<DataDeletion> page =
        removals.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new DeletionPage(
            page.items().stream().map(this::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Deletion> createDeletion(
      String organizationId,
      String environmentId,
      DeletionDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call =
        enter(organizationId, environmentId, Permission.RETENTION_WRITE, "deletion.request");
    Created<DataDeletion> begun =
        removals.begin(
            call.organization(), call.actor(), environmentId, idempotencyKey, subject(draft));
    return CreationResponses.accepted(
            begun, organizationId, "environments", environmentId, "deletions", begun.object().id())
        .body(shown(begun.object()));
  }

  @Override
  public ResponseEntity<DeletionEffect> previewDeletion(
      String organizationId, String environmentId, DeletionDraft draft) {
    ControlApiCall call =
        enter(organizationId, environmentId, Permission.RETENTION_READ, "deletion.preview");
    DataDeletions.Preview preview =
        removals.preview(call.organization(), environmentId, subject(draft));
    List<DeletionEffectOnStore> stores =
        preview.effects().stream()
            .map(
                effect ->
                    new DeletionEffectOnStore(
                            effect.datasource(), effect.found().panes(), effect.found().points())
                        .oldest(utc(effect.found().oldest()))
                        .newest(utc(effect.found().newest())))
            .toList();
    return ResponseEntity.ok(new DeletionEffect(stores, preview.isStillSent()));
  }

  @Override
  public ResponseEntity<Deletion> getDeletion(
      String organizationId, String environmentId, String deletionId) {
    ControlApiCall call =
        enter(organizationId, environmentId, Permission.RETENTION_READ, "deletion.read");
    return ResponseEntity.ok(shown(removals.get(call.organization(), environmentId, deletionId)));
  }

  private static DataDeletion.Subject subject(DeletionDraft draft) {
    return new DataDeletion.Subject(
        draft.getMetric(),
        draft.getSeriesId(),
        draft.getBefore() == null ? null : draft.getBefore().toInstant());
  }

  private Deletion shown(DataDeletion removal) {
    List<DeletionStep> steps = new ArrayList<>(shown(removal.druid(), removal.lake()));
    Instant now = clock.instant();
    for (RegionSteps region : removal.regions()) {
      String problem = region.problem(now);
      for (DeletionStep step : shown(region.druid(), region.lake())) {
        steps.add(
            step.region(region.region()).problem(problem == null ? step.getProblem() : problem));
      }
    }
    return new Deletion(
            removal.id(),
            removal.organization().value(),
            removal.environment().value(),
            DeletionKind.fromValue(removal.kind().wireName()),
            removal.finishedAt() == null ? DeletionState.RUNNING : DeletionState.DONE,
            utc(removal.createdAt()),
            utc(removal.settledFrom()),
            steps)
        .metric(removal.subject().metric())
        .seriesId(removal.subject().seriesId())
        .before(utc(removal.subject().before()))
        .finishedAt(utc(removal.finishedAt()))
        .certificate(removal.certificate())
        .certificateSha256(removal.certificateSha256());
  }

  private static List<DeletionStep> shown(
      List<DruidDeletionStep> druid, List<LakeDeletionStep> lake) {
    return Stream.concat(
            druid.stream().map(DeletionsController::shown),
            lake.stream().map(DeletionsController::shown))
        .toList();
  }

  private static DeletionStep shown(DruidDeletionStep step) {
    return new DeletionStep(
            DeletionStep.StoreEnum.DRUID,
            step.datasource(),
            step.isDone(),
            step.panesFound(),
            step.panesRemoved())
        .pointsRemoved(step.pointsRemoved())
        .problem(step.problem());
  }

  private static DeletionStep shown(LakeDeletionStep step) {
    return new DeletionStep(
            DeletionStep.StoreEnum.LAKE,
            step.table(),
            step.isDone(),
            step.rowsRemoved(),
            step.rowsRemoved())
        .snapshots(step.rowsBySnapshot().keySet().stream().sorted().toList())
        .heldUntil(utc(step.heldUntil()));
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}

package io.tidemark.platform.replay.web;

import io.tidemark.contracts.controlapi.DeadLetterReplaysApi;
import io.tidemark.contracts.controlapi.model.DeadLetterReplay;
import io.tidemark.contracts.controlapi.model.DeadLetterReplayCount;
import io.tidemark.contracts.controlapi.model.DeadLetterReplayDraft;
import io.tidemark.contracts.controlapi.model.DeadLetterReplayOutcome;
import io.tidemark.contracts.controlapi.model.DeadLetterReplayPage;
import io.tidemark.contracts.controlapi.model.DeadLetterReplayState;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.replay.DeadLetterReplays;
import io.tidemark.platform.replay.DeadLetterReplays.Draft;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Replays of dead letters of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class DeadLetterReplaysController implements DeadLetterReplaysApi {

  private static final String TYPE = "dead_letter_replay";

  private final ControlApiGuard guard;
  private final DeadLetterReplays replays;

  DeadLetterReplaysController(ControlApiGuard guard, DeadLetterReplays replays) {
    this.guard = guard;
    this.replays = replays;
  }

  @Override
  public ResponseEntity<DeadLetterReplayPage> listDeadLetterReplays(
      String organizationId, String environmentId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId, environmentId, Permission.CATALOG_READ, TYPE + ".list", TYPE);
    Page<io.tidemark.platform.replay.DeadLetterReplay> page =
        replays.list(call.organization(), environmentId, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new DeadLetterReplayPage(
            page.items().stream().map(DeadLetterReplaysController::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<DeadLetterReplay> createDeadLetterReplay(
      String organizationId,
      String environmentId,
      DeadLetterReplayDraft draft,
      @Nullable String idempotencyKey) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId, environmentId, Permission.METRICS_WRITE, TYPE + ".count", TYPE);
    Created<io.tidemark.platform.replay.DeadLetterReplay> made =
        replays.create(
            call.organization(),
            call.actor(),
            environmentId,
            idempotencyKey,
            new Draft(
                draft.getReasons() == null
                    ? List.of()
                    : draft.getReasons().stream()
                        .map(reason -> Objects.requireNonNullElse(reason, ""))
                        .toList(),
                instant(draft.getReceivedFrom()),
                instant(draft.getReceivedTo())));
    return CreationResponses.accepted(
            made,
            organizationId,
            "environments",
            environmentId,
            "dead-letter-replays",
            made.object().id())
        .body(shown(made.object()));
  }

  @Override
  public ResponseEntity<DeadLetterReplay> getDeadLetterReplay(
      String organizationId, String environmentId, String deadLetterReplayId) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId,
            environmentId,
            Permission.CATALOG_READ,
            TYPE + ".read",
            TYPE,
            deadLetterReplayId);
    return ResponseEntity.ok(
        shown(replays.get(call.organization(), environmentId, deadLetterReplayId)));
  }

  @Override
  public ResponseEntity<DeadLetterReplay> executeDeadLetterReplay(
      String organizationId, String environmentId, String deadLetterReplayId) {
    ControlApiCall call =
        guard.enterEnvironment(
            organizationId,
            environmentId,
            Permission.METRICS_WRITE,
            TYPE + ".execute",
            TYPE,
            deadLetterReplayId);
    return ResponseEntity.accepted()
        .body(
            shown(
                replays.execute(
                    call.organization(), call.actor(), environmentId, deadLetterReplayId)));
  }

  private static DeadLetterReplay shown(io.tidemark.platform.replay.DeadLetterReplay replay) {
    return new DeadLetterReplay(
            replay.id(),
            DeadLetterReplayState.fromValue(replay.state().wireName()),
            replay.reasons(),
            utc(replay.receivedFrom()),
            utc(replay.receivedTo()),
            utc(replay.createdAt()),
            replay.recordsRead(),
            replay.recordsToRead(),
            replay.counts().stream()
                .map(
                    count ->
                        new DeadLetterReplayCount(
                                count.reason(),
                                DeadLetterReplayOutcome.fromValue(count.outcome()),
                                count.letters(),
                                count.points())
                            .detail(count.detail()))
                .toList())
        .executedAt(utc(replay.executedAt()))
        .finishedAt(utc(replay.finishedAt()))
        .failure(replay.failure());
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}

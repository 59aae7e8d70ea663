package io.tidemark.platform.audit.web;

import io.tidemark.contracts.controlapi.AuditLogApi;
import io.tidemark.contracts.controlapi.model.AuditEntry;
import io.tidemark.contracts.controlapi.model.AuditEntryPage;
import io.tidemark.contracts.controlapi.model.AuditOutcome;
import io.tidemark.contracts.controlapi.model.AuditVerification;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.audit.AuditFilter;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The audit log of the control API. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class AuditLogController implements AuditLogApi {

  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");

  private final ControlApiGuard guard;
  private final AuditLog log;
  private final JsonMapper json;

  AuditLogController(ControlApiGuard guard, AuditLog log, JsonMapper json) {
    this.guard = guard;
    this.log = log;
    this.json = json;
  }

  private TenantId enter(String organizationId, String action) {
    return guard
        .enter(organizationId, Permission.AUDIT_READ, action, "audit_log", organizationId)
        .organization();
  }

  @Override
  public ResponseEntity<AuditEntryPage> listAuditEntries(
      String organizationId,
      Integer limit,
      @Nullable String cursor,
      @Nullable String action,
      @Nullable String actorId,
      @Nullable String objectId,
      @Nullable OffsetDateTime since,
      @Nullable OffsetDateTime until) {
    TenantId organization = enter(organizationId, "audit_log.read");
    AuditFilter filter =
        new AuditFilter(
            text("action", action),
            text("actor_id", actorId),
            text("object_id", objectId),
            instant(since),
            instant(until));
    Page<io.tidemark.platform.audit.AuditEntry> page =
        log.list(organization, filter, Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new AuditEntryPage(
            page.items().stream().map(AuditLogController::shown).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Resource> exportAuditLog(String organizationId) {
    TenantId organization = enter(organizationId, "audit_log.export");
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_NDJSON)
        .body(
            new InputStreamResource(
                new AuditLogExport(
                    sequence -> log.after(organization, sequence),
                    entry -> json.writeValueAsString(shown(entry)))));
  }

  @Override
  public ResponseEntity<AuditVerification> verifyAuditLog(
      String organizationId, @Nullable Long knownSequence, @Nullable String knownHash) {
    TenantId organization = enter(organizationId, "audit_log.verify");
    if ((knownSequence == null) != (knownHash == null)
        || (knownHash != null && !HASH.matcher(knownHash).matches())) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "known_sequence and known_hash come together; known_hash has 64 hexadecimal digits.");
    }
    var found =
        log.verify(
            organization,
            knownSequence == null || knownHash == null
                ? null
                : new AuditLog.EntryReference(knownSequence, knownHash));
    AuditVerification answer =
        new AuditVerification(found.faults().isEmpty(), found.entries(), found.faults());
    if (found.hash() != null) {
      answer.sequence(found.sequence()).hash(found.hash());
    }
    return ResponseEntity.ok(answer);
  }

  private static @Nullable String text(String name, @Nullable String value) {
    if (value != null && value.codePoints().anyMatch(Character::isISOControl)) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, name + " must not hold control characters.");
    }
    return value;
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  private static AuditEntry shown(io.tidemark.platform.audit.AuditEntry entry) {
    return new AuditEntry(
            entry.sequence(),
            entry.atText(),
            entry.actor().kind(),
            entry.actor().id(),
            entry.action(),
            entry.objectType(),
            entry.objectId(),
            AuditOutcome.fromValue(entry.outcome()),
            entry.previousHash(),
            entry.hash())
        .address(entry.actor().address())
        .reason(entry.reason())
        .before(entry.before())
        .after(entry.after());
  }
}

package io.tidemark.platform.audit;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** The audit log of every organisation. */
@Service
public class AuditLog {

  /** What is shown of an object: records, maps and plain values, none of them secret. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(
              inclusion ->
                  inclusion.withValueInclusion(
                      com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL))
          .addModule(
              new SimpleModule()
                  .addSerializer(TenantId.class, ToStringSerializer.instance)
                  .addSerializer(EnvironmentId.class, ToStringSerializer.instance))
          .build();

  private final TenantTransactions transactions;
  private final JdbcAuditEntries entries;
  private final Clock clock;

  AuditLog(TenantTransactions transactions, JdbcAuditEntries entries, Clock clock) {
    this.transactions = transactions;
    this.entries = entries;
    this.clock = clock;
  }

  /**
   * Adds an entry about a change to the running transaction of the change.
   *
   * @param action as in {@code environment.archive}
   * @param before the object before; null when it is new
   * @param after the object after; null when it is gone
   */
  public void done(
      TenantId organization,
      Actor actor,
      String action,
      String objectType,
      @Nullable String objectId,
      @Nullable Object before,
      @Nullable Object after) {
    append(
        organization, actor, action, objectType, objectId, true, null, json(before), json(after));
  }

  /** Adds an entry about an attempt that was refused for the given reason, a code of a problem. */
  public void refused(
      TenantId organization,
      Actor actor,
      String action,
      String objectType,
      String objectId,
      ErrorCode reason) {
    refused(organization, actor, action, objectType, objectId, reason, null);
  }

  /** As above, about several attempts; {@code told} says more of them. */
  public void refused(
      TenantId organization,
      Actor actor,
      String action,
      String objectType,
      @Nullable String objectId,
      ErrorCode reason,
      @Nullable Object told) {
    append(
        organization,
        actor,
        action,
        objectType,
        objectId,
        false,
        reason.wireName(),
        null,
        json(told));
  }

  private void append(
      TenantId organization,
      Actor actor,
      String action,
      String objectType,
      @Nullable String objectId,
      boolean done,
      @Nullable String reason,
      @Nullable String before,
      @Nullable String after) {
    transactions.run(
        organization,
        () -> {
          JdbcAuditEntries.Head head = entries.lockHead(organization);
          AuditEntry draft =
              new AuditEntry(
                  organization.value(),
                  head.sequence() + 1,
                  clock.instant().truncatedTo(ChronoUnit.MICROS),
                  actor,
                  action,
                  objectType,
                  objectId,
                  done,
                  reason,
                  before,
                  after,
                  head.hash(),
                  null);
          entries.append(organization, withHash(draft));
        });
  }

  private static AuditEntry withHash(AuditEntry draft) {
    return new AuditEntry(
        draft.organization(),
        draft.sequence(),
        draft.at(),
        draft.actor(),
        draft.action(),
        draft.objectType(),
        draft.objectId(),
        draft.done(),
        draft.reason(),
        draft.before(),
        draft.after(),
        draft.previousHash(),
        AuditChain.hash(draft));
  }

  /** Entries, newest first. */
  public Page<AuditEntry> list(TenantId organization, AuditFilter filter, PageRequest page) {
    long before = page.after().isEmpty() ? Long.MAX_VALUE : sequence(page.after());
    return transactions.within(
        organization,
        () ->
            Page.of(
                entries.before(organization, before, filter, page.limit() + 1),
                page,
                entry -> Long.toString(entry.sequence())));
  }

  /** Up to 500 entries after the given sequence, oldest first. */
  public List<AuditEntry> after(TenantId organization, long sequence) {
    return transactions.within(organization, () -> entries.after(organization, sequence, 500));
  }

  /**
   * Reads the whole log and computes every hash anew.
   *
   * @param known a sequence and hash that the log is to have; null to ask for nothing
   */
  public AuditVerification verify(TenantId organization, @Nullable EntryReference known) {
    return new AuditLogVerifier(transactions, entries).verify(organization, known);
  }

  /** An entry as somebody saw it before. */
  public record EntryReference(long sequence, String hash) {}

  private static long sequence(String place) {
    try {
      return Long.parseLong(place);
    } catch (NumberFormatException notOurs) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "cursor is not one that this list gave out. Take it from meta.next_cursor, or leave it"
              + " out.");
    }
  }

  private static @Nullable String json(@Nullable Object shown) {
    return shown == null ? null : JSON.writeValueAsString(shown);
  }
}

package io.tidemark.platform.access.application;

import io.tidemark.platform.access.Member;
import io.tidemark.platform.access.Members;
import io.tidemark.platform.access.SessionRevoker;
import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Members of organisations, audited. An organisation keeps somebody who administers it. What
 * somebody has lost is gone with their next request; whoever belongs nowhere any more is signed
 * out.
 */
public final class MemberService implements Members {

  private static final String TYPE = "member";

  private final TenantTransactions transactions;
  private final MemberRepository members;
  private final PersonRepository people;
  private final SessionRevoker sessions;
  private final ValidatedGrants checked;
  private final AuditLog audit;
  private final Clock clock;

  public MemberService(
      TenantTransactions transactions,
      MemberRepository members,
      PersonRepository people,
      SessionRevoker sessions,
      Environments environments,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.members = members;
    this.people = people;
    this.sessions = sessions;
    this.checked = new ValidatedGrants(environments);
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public Page<Member> list(TenantId organization, PageRequest page) {
    return transactions.within(
        organization,
        () ->
            Page.of(
                members.list(organization, page.after(), page.limit() + 1),
                page,
                Member::personId));
  }

  @Override
  public Member get(TenantId organization, String person) {
    return transactions.within(organization, () -> found(members.find(organization, person)));
  }

  @Override
  public Member change(
      TenantId organization,
      Actor actor,
      String person,
      ExpectedVersion expected,
      List<String> grants) {
    return transactions.within(
        organization,
        () -> {
          members.lockAll(organization);
          Member before = found(members.find(organization, person));
          expected.check(before.version());
          List<String> faults = new ArrayList<>();
          List<String> wanted = checked.of(organization, grants, faults);
          ValidatedGrants.refuse(faults);
          if (wanted.equals(before.grants())) {
            return before;
          }
          if (!administers(wanted)) {
            refuseTheLast(organization, before);
          }
          Member after =
              new Member(
                  person,
                  before.mail(),
                  before.displayName(),
                  wanted,
                  before.disabledAt(),
                  before.version() + 1,
                  before.createdAt(),
                  clock.instant());
          members.update(organization, after);
          audit.done(organization, actor, "member.change", TYPE, person, before, after);
          return after;
        });
  }

  @Override
  public void remove(TenantId organization, Actor actor, String person, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          members.lockAll(organization);
          Member member = found(members.find(organization, person));
          expected.check(member.version());
          refuseTheLast(organization, member);
          members.remove(organization, person);
          audit.done(organization, actor, "member.remove", TYPE, person, member, null);
        });
    signOutIfNowhere(person);
  }

  @Override
  public Member disable(
      TenantId organization, Actor actor, String person, ExpectedVersion expected) {
    Member disabled =
        setDisabled(organization, actor, "member.disable", person, expected, clock.instant());
    signOutIfNowhere(person);
    return disabled;
  }

  @Override
  public Member enable(
      TenantId organization, Actor actor, String person, ExpectedVersion expected) {
    return setDisabled(organization, actor, "member.enable", person, expected, null);
  }

  private Member setDisabled(
      TenantId organization,
      Actor actor,
      String action,
      String person,
      ExpectedVersion expected,
      @Nullable Instant disabledAt) {
    return transactions.within(
        organization,
        () -> {
          members.lockAll(organization);
          Member before = found(members.find(organization, person));
          expected.check(before.version());
          if (before.isDisabled() == (disabledAt != null)) {
            return before;
          }
          if (disabledAt != null) {
            refuseTheLast(organization, before);
          }
          Member after =
              new Member(
                  person,
                  before.mail(),
                  before.displayName(),
                  before.grants(),
                  disabledAt,
                  before.version() + 1,
                  before.createdAt(),
                  // As it is stored, so that asking again answers the same.
                  clock.instant().truncatedTo(ChronoUnit.MICROS));
          members.update(organization, after);
          audit.done(organization, actor, action, TYPE, person, before, after);
          return after;
        });
  }

  /** Sessions of somebody who belongs to other organisations stay good for those. */
  private void signOutIfNowhere(String person) {
    if (people.organizationsOf(person).isEmpty()) {
      sessions.of(person);
    }
  }

  private void refuseTheLast(TenantId organization, Member member) {
    if (!member.isDisabled()
        && administers(member.grants())
        && members.having(organization, Role.ORGANIZATION_ADMIN.wireName()) == 1) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "Nobody would be left to administer the organisation. Make somebody else an"
              + " organization_admin first.");
    }
  }

  private static boolean administers(List<String> grants) {
    return grants.contains(Role.ORGANIZATION_ADMIN.wireName());
  }

  private static Member found(Optional<Member> member) {
    return member.orElseThrow(
        () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such member."));
  }
}

package io.tidemark.platform.access.web;

import io.tidemark.contracts.controlapi.model.Belonging;
import io.tidemark.contracts.controlapi.model.EnvironmentPermissions;
import io.tidemark.contracts.controlapi.model.Grant;
import io.tidemark.contracts.controlapi.model.Invitation;
import io.tidemark.contracts.controlapi.model.InvitationState;
import io.tidemark.contracts.controlapi.model.Member;
import io.tidemark.contracts.controlapi.model.MemberState;
import io.tidemark.contracts.controlapi.model.Person;
import io.tidemark.contracts.controlapi.model.Role;
import io.tidemark.platform.access.People;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Between the types of the contract and those of the module. Checks nothing. */
final class MembersApiMapping {

  private MembersApiMapping() {}

  static Person shown(io.tidemark.platform.access.Person person) {
    return new Person(person.id(), person.displayName(), person.mailVerified()).mail(person.mail());
  }

  static Belonging shown(People.Belonging belonging) {
    List<io.tidemark.platform.access.domain.Grant> grants =
        io.tidemark.platform.access.domain.Grant.parse(belonging.grants());
    Map<EnvironmentId, Set<Permission>> inEnvironments =
        io.tidemark.platform.access.domain.Grant.inEnvironments(grants);
    return new Belonging(
        belonging.organization().value(),
        grants(belonging.grants()),
        names(io.tidemark.platform.access.domain.Grant.everywhere(grants)),
        inEnvironments.entrySet().stream()
            .sorted(Comparator.comparing(each -> each.getKey().value()))
            .map(each -> new EnvironmentPermissions(each.getKey().value(), names(each.getValue())))
            .toList());
  }

  private static List<String> names(Collection<Permission> permissions) {
    return permissions.stream().map(Permission::wireName).sorted().toList();
  }

  static Member shown(TenantId organization, io.tidemark.platform.access.Member member) {
    return new Member(
            organization.value(),
            member.personId(),
            member.displayName(),
            grants(member.grants()),
            member.isDisabled() ? MemberState.DISABLED : MemberState.ACTIVE,
            utc(member.createdAt()),
            utc(member.updatedAt()))
        .mail(member.mail());
  }

  static Invitation shown(
      TenantId organization, io.tidemark.platform.access.Invitation invitation, Instant now) {
    return new Invitation(
            organization.value(),
            invitation.id(),
            invitation.mail(),
            grants(invitation.grants()),
            state(invitation, now),
            invitation.invitedBy(),
            utc(invitation.createdAt()),
            utc(invitation.expiresAt()))
        .acceptedBy(invitation.acceptedBy());
  }

  private static InvitationState state(
      io.tidemark.platform.access.Invitation invitation, Instant now) {
    if (invitation.acceptedAt() != null) {
      return InvitationState.ACCEPTED;
    }
    if (invitation.revokedAt() != null) {
      return InvitationState.REVOKED;
    }
    return invitation.isOpen(now) ? InvitationState.OPEN : InvitationState.EXPIRED;
  }

  static List<Grant> grants(List<String> texts) {
    return io.tidemark.platform.access.domain.Grant.parse(texts).stream()
        .map(
            grant ->
                new Grant(Role.fromValue(grant.role().wireName()))
                    .environmentId(
                        grant.environment() == null ? null : grant.environment().value()))
        .toList();
  }

  /** As texts; what is not given becomes what no grant is called. */
  static List<String> texts(List<Grant> grants) {
    return grants == null
        ? List.of()
        : grants.stream()
            .map(
                grant ->
                    grant == null || grant.getRole() == null
                        ? ""
                        : grant.getRole().getValue()
                            + (grant.getEnvironmentId() == null
                                ? ""
                                : "@" + grant.getEnvironmentId()))
            .toList();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}

package io.tidemark.platform.access.web;

import io.tidemark.contracts.controlapi.MembersApi;
import io.tidemark.contracts.controlapi.model.AcceptedInvitation;
import io.tidemark.contracts.controlapi.model.CreatedInvitation;
import io.tidemark.contracts.controlapi.model.Invitation;
import io.tidemark.contracts.controlapi.model.InvitationAcceptance;
import io.tidemark.contracts.controlapi.model.InvitationDraft;
import io.tidemark.contracts.controlapi.model.InvitationPage;
import io.tidemark.contracts.controlapi.model.Member;
import io.tidemark.contracts.controlapi.model.MemberChange;
import io.tidemark.contracts.controlapi.model.MemberPage;
import io.tidemark.contracts.controlapi.model.PageMeta;
import io.tidemark.platform.access.InvitationLinks;
import io.tidemark.platform.access.InvitationSender;
import io.tidemark.platform.access.Invitations;
import io.tidemark.platform.access.Members;
import io.tidemark.platform.access.People;
import io.tidemark.platform.access.domain.Grant;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CreationResponses;
import io.tidemark.platform.shared.Cursors;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.tenancy.Organizations;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** People of an organisation and invitations to it. Nobody gives more than they have. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class MembersController implements MembersApi {

  private final ControlApiGuard guard;
  private final Members members;
  private final Invitations invitations;
  private final ObjectProvider<InvitationLinks> links;
  private final InvitationSender sending;
  private final Organizations organizations;
  private final People people;
  private final Clock clock;

  MembersController(
      ControlApiGuard guard,
      Members members,
      Invitations invitations,
      ObjectProvider<InvitationLinks> links,
      InvitationSender sending,
      Organizations organizations,
      People people,
      Clock clock) {
    this.guard = guard;
    this.members = members;
    this.invitations = invitations;
    this.links = links;
    this.sending = sending;
    this.organizations = organizations;
    this.people = people;
    this.clock = clock;
  }

  private ControlApiCall members(
      String organizationId, Permission needed, String action, String id) {
    return guard.enter(organizationId, needed, action, "member", id);
  }

  private ControlApiCall invitations(
      String organizationId, Permission needed, String action, String id) {
    return guard.enter(organizationId, needed, action, "invitation", id);
  }

  /**
   * Refuses to give what the caller does not have, and writes it down. What roles allow in one
   * environment the caller must have there.
   */
  private void refuseMoreThanOwn(
      ControlApiCall call, String action, String objectType, String id, List<String> grants) {
    Set<String> lacking = new TreeSet<>();
    for (Grant grant : Grant.parse(grants)) {
      for (Permission permission : grant.role().permissions()) {
        boolean has =
            grant.environment() == null
                ? call.caller().permissions().contains(permission)
                : call.caller().mayIn(grant.environment().value(), permission);
        if (!has) {
          lacking.add(permission.wireName());
        }
      }
    }
    if (!lacking.isEmpty()) {
      throw guard.refuse(
          call,
          action,
          objectType,
          id,
          ProblemException.of(
              ErrorCode.FORBIDDEN,
              "Whoever is calling lacks what they would give: "
                  + String.join(", ", lacking)
                  + "."));
    }
  }

  @Override
  public ResponseEntity<MemberPage> listMembers(
      String organizationId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        members(organizationId, Permission.MEMBERS_READ, "member.list", organizationId);
    Page<io.tidemark.platform.access.Member> page =
        members.list(call.organization(), Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new MemberPage(
            page.items().stream()
                .map(member -> MembersApiMapping.shown(call.organization(), member))
                .toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<Member> getMember(String organizationId, String personId) {
    ControlApiCall call = members(organizationId, Permission.MEMBERS_READ, "member.read", personId);
    return answer(call, members.get(call.organization(), personId));
  }

  @Override
  public ResponseEntity<Member> changeMember(
      String organizationId, String personId, MemberChange change, @Nullable String ifMatch) {
    String action = "member.change";
    ControlApiCall call = members(organizationId, Permission.MEMBERS_WRITE, action, personId);
    List<String> grants = MembersApiMapping.texts(change.getGrants());
    refuseMoreThanOwn(call, action, "member", personId, grants);
    return answer(
        call,
        members.change(
            call.organization(), call.actor(), personId, EntityTags.required(ifMatch), grants));
  }

  @Override
  public ResponseEntity<Member> disableMember(
      String organizationId, String personId, @Nullable String ifMatch) {
    ControlApiCall call =
        members(organizationId, Permission.MEMBERS_WRITE, "member.disable", personId);
    return answer(
        call,
        members.disable(call.organization(), call.actor(), personId, EntityTags.expected(ifMatch)));
  }

  @Override
  public ResponseEntity<Member> enableMember(
      String organizationId, String personId, @Nullable String ifMatch) {
    String action = "member.enable";
    ControlApiCall call = members(organizationId, Permission.MEMBERS_WRITE, action, personId);
    refuseMoreThanOwn(
        call, action, "member", personId, members.get(call.organization(), personId).grants());
    return answer(
        call,
        members.enable(call.organization(), call.actor(), personId, EntityTags.expected(ifMatch)));
  }

  @Override
  public ResponseEntity<Void> removeMember(
      String organizationId, String personId, @Nullable String ifMatch) {
    ControlApiCall call =
        members(organizationId, Permission.MEMBERS_WRITE, "member.remove", personId);
    members.remove(call.organization(), call.actor(), personId, EntityTags.expected(ifMatch));
    return ResponseEntity.noContent().build();
  }

  private static ResponseEntity<Member> answer(
      ControlApiCall call, io.tidemark.platform.access.Member member) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(member.version()))
        .body(MembersApiMapping.shown(call.organization(), member));
  }

  @Override
  public ResponseEntity<InvitationPage> listInvitations(
      String organizationId, Integer limit, @Nullable String cursor) {
    ControlApiCall call =
        invitations(organizationId, Permission.MEMBERS_READ, "invitation.list", organizationId);
    Page<io.tidemark.platform.access.Invitation> page =
        invitations.list(call.organization(), Cursors.page(limit, cursor));
    return ResponseEntity.ok(
        new InvitationPage(
            page.items().stream().map(invitation -> shown(call, invitation)).toList(),
            new PageMeta().nextCursor(Cursors.of(page.next()))));
  }

  @Override
  public ResponseEntity<CreatedInvitation> invite(
      String organizationId, InvitationDraft draft, @Nullable String idempotencyKey) {
    String action = "invitation.create";
    ControlApiCall call =
        invitations(organizationId, Permission.MEMBERS_WRITE, action, organizationId);
    List<String> grants = MembersApiMapping.texts(draft.getGrants());
    refuseMoreThanOwn(call, action, "invitation", organizationId, grants);
    Created<Invitations.Issued> made =
        invitations.invite(
            call.organization(), call.actor(), idempotencyKey, draft.getMail(), grants);
    return CreationResponses.created(
            made, organizationId, "invitations", made.object().invitation().id())
        // The one answer with a link must not stay anywhere on its way.
        .header("Cache-Control", "no-store")
        .body(shown(call, made.object()));
  }

  @Override
  public ResponseEntity<Invitation> getInvitation(String organizationId, String invitationId) {
    ControlApiCall call =
        invitations(organizationId, Permission.MEMBERS_READ, "invitation.read", invitationId);
    return ResponseEntity.ok(shown(call, invitations.get(call.organization(), invitationId)));
  }

  @Override
  public ResponseEntity<Void> revokeInvitation(String organizationId, String invitationId) {
    ControlApiCall call =
        invitations(organizationId, Permission.MEMBERS_WRITE, "invitation.revoke", invitationId);
    invitations.revoke(call.organization(), call.actor(), invitationId);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<CreatedInvitation> sendInvitationAgain(
      String organizationId, String invitationId, @Nullable String idempotencyKey) {
    String action = "invitation.send_again";
    ControlApiCall call =
        invitations(organizationId, Permission.MEMBERS_WRITE, action, invitationId);
    refuseMoreThanOwn(
        call,
        action,
        "invitation",
        invitationId,
        invitations.get(call.organization(), invitationId).grants());
    Created<Invitations.Issued> sent =
        invitations.sendAgain(call.organization(), call.actor(), idempotencyKey, invitationId);
    return CreationResponses.replayed(ResponseEntity.ok(), sent)
        .header("Cache-Control", "no-store")
        .body(shown(call, sent.object()));
  }

  @Override
  public ResponseEntity<AcceptedInvitation> acceptInvitation(InvitationAcceptance acceptance) {
    Actor actor = guard.enterAsPerson("invitation.accept", "invitation");
    Invitations.Offer joined =
        invitations.accept(
            acceptance.getToken() == null ? "" : acceptance.getToken(),
            people.find(actor.id()).orElseThrow(),
            actor.address());
    return ResponseEntity.ok(
        new AcceptedInvitation(
            joined.organization().value(),
            joined.organizationName(),
            MembersApiMapping.grants(joined.invitation().grants())));
  }

  /** What goes by mail is not shown: then it proves who reads the mail of that address. */
  private CreatedInvitation shown(ControlApiCall call, Invitations.Issued issued) {
    Invitation invitation = shown(call, issued.invitation());
    String link = issued.token() == null ? null : link(issued.token());
    boolean isMailed =
        link != null
            && sending.send(
                new InvitationSender.Message(
                    invitation.getMail(),
                    organizations.get(call.organization()).displayName(),
                    link));
    if (isMailed) {
      invitations.mailed(call.organization(), issued);
    }
    return new CreatedInvitation(invitation, isMailed).link(isMailed ? null : link);
  }

  /** Where nobody signs in there is no page to go to. */
  private @Nullable String link(String token) {
    InvitationLinks page = links.getIfAvailable();
    return page == null ? null : page.of(token);
  }

  private Invitation shown(ControlApiCall call, io.tidemark.platform.access.Invitation invitation) {
    return MembersApiMapping.shown(call.organization(), invitation, clock.instant());
  }
}

package io.tidemark.platform.access.application;

import io.tidemark.platform.access.Invitation;
import io.tidemark.platform.access.Invitations;
import io.tidemark.platform.access.Member;
import io.tidemark.platform.access.People;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.access.domain.InvitationToken;
import io.tidemark.platform.access.domain.RandomId;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import io.tidemark.platform.tenancy.Organizations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Invitations, audited. */
public final class InvitationService implements Invitations {

  private static final String TYPE = "invitation";
  private static final Duration GOOD_FOR = Duration.ofDays(7);
  private static final int MAX_OPEN = 500;
  private static final Pattern MAIL =
      Pattern.compile("[^\\s@\\p{Cntrl}]{1,64}@[^\\s@\\p{Cntrl}]{1,189}");

  /** What invitations are to. */
  public record Tenants(Organizations organizations, Environments environments) {}

  /** Where invitations, their links, members and people are stored. */
  public record Repositories(
      InvitationRepository invitations,
      InvitationLookup links,
      MemberRepository members,
      PersonRepository people) {}

  private final TenantTransactions transactions;
  private final InvitationRepository invitations;
  private final InvitationLookup links;
  private final MemberRepository members;
  private final PersonRepository people;
  private final Tenants places;
  private final ValidatedGrants checked;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final Clock clock;
  private final RandomGenerator random;

  public InvitationService(
      TenantTransactions transactions,
      Repositories kept,
      Tenants places,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock,
      RandomGenerator random) {
    this.transactions = transactions;
    this.invitations = kept.invitations();
    this.links = kept.links();
    this.members = kept.members();
    this.people = kept.people();
    this.places = places;
    this.checked = new ValidatedGrants(places.environments());
    this.creation = creation;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Page<Invitation> list(TenantId organization, PageRequest page) {
    return transactions.within(
        organization,
        () ->
            Page.of(
                invitations.list(organization, page.after(), page.limit() + 1),
                page,
                Invitation::id));
  }

  @Override
  public Invitation get(TenantId organization, String id) {
    return transactions.within(organization, () -> found(invitations.find(organization, id)));
  }

  @Override
  public Created<Issued> invite(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      String mail,
      List<String> grants) {
    List<String> faults = new ArrayList<>();
    String address = mail == null ? "" : mail.strip().toLowerCase(Locale.ROOT);
    if (!MAIL.matcher(address).matches()) {
      faults.add("mail must be a mail address.");
    }
    List<String> wanted = checked.of(organization, grants, faults);
    ValidatedGrants.refuse(faults);
    return creation.once(
        organization,
        "invitation.create",
        idempotencyKey,
        address + "\n" + wanted,
        new Creation<>(
            () -> make(organization, actor, address, wanted),
            issued -> issued.invitation().id(),
            id -> new Issued(get(organization, id), null)));
  }

  private Issued make(TenantId organization, Actor actor, String mail, List<String> grants) {
    Instant now = clock.instant();
    if (invitations.open(organization, now) >= MAX_OPEN) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The organisation has " + MAX_OPEN + " open invitations. Revoke some first.");
    }
    String token = InvitationToken.draw(random);
    Invitation made =
        new Invitation(
            RandomId.draw("inv-", random),
            mail,
            grants,
            actor.id(),
            now,
            now.plus(GOOD_FOR),
            null,
            null,
            null);
    invitations.add(organization, made, InvitationToken.hash(token));
    audit.done(organization, actor, "invitation.create", TYPE, made.id(), null, made);
    return new Issued(made, token);
  }

  @Override
  public Created<Issued> sendAgain(
      TenantId organization, Actor actor, @Nullable String idempotencyKey, String id) {
    return creation.once(
        organization,
        "invitation.send_again",
        idempotencyKey,
        id,
        new Creation<>(
            () -> renew(organization, actor, id),
            issued -> issued.invitation().id(),
            renewed -> new Issued(get(organization, renewed), null)));
  }

  private Issued renew(TenantId organization, Actor actor, String id) {
    Invitation before = found(invitations.lock(organization, id));
    refuseAccepted(before);
    if (before.revokedAt() != null) {
      throw ProblemException.of(ErrorCode.CONFLICT, "The invitation is revoked. Make a new one.");
    }
    String token = InvitationToken.draw(random);
    invitations.renew(
        organization, id, InvitationToken.hash(token), clock.instant().plus(GOOD_FOR));
    Invitation after = get(organization, id);
    audit.done(organization, actor, "invitation.send_again", TYPE, id, before, after);
    return new Issued(after, token);
  }

  @Override
  public void mailed(TenantId organization, Issued issued) {
    transactions.run(
        organization,
        () ->
            invitations.mailed(
                organization,
                issued.invitation().id(),
                InvitationToken.hash(Objects.requireNonNull(issued.token())),
                clock.instant()));
  }

  @Override
  public void revoke(TenantId organization, Actor actor, String id) {
    transactions.run(
        organization,
        () -> {
          Invitation before = found(invitations.lock(organization, id));
          refuseAccepted(before);
          if (before.revokedAt() == null) {
            invitations.revoke(organization, id, clock.instant());
            audit.done(
                organization, actor, "invitation.revoke", TYPE, id, before, get(organization, id));
          }
        });
  }

  @Override
  public Optional<Offer> offer(String token) {
    byte[] hash = InvitationToken.hash(token);
    return links
        .find(hash)
        .flatMap(
            place ->
                transactions.within(
                    place.organization(),
                    () ->
                        invitations
                            .find(place.organization(), place.id())
                            .filter(invitation -> invitation.isOpen(clock.instant()))
                            .map(invitation -> offer(place.organization(), invitation))));
  }

  private Offer offer(TenantId organization, Invitation invitation) {
    return new Offer(
        organization,
        places.organizations().get(organization).displayName(),
        invitation,
        invitations.isMailed(organization, invitation.id()));
  }

  @Override
  public Offer accept(String token, Person person, @Nullable String address) {
    Offer offer = offer(token).orElseThrow(InvitationService::useless);
    TenantId organization = offer.organization();
    Actor actor = new Actor("person", person.id(), address);
    if (!isProven(offer, person) || !offer.invitation().mail().equalsIgnoreCase(person.mail())) {
      audit.refused(
          organization,
          actor,
          "invitation.accept",
          TYPE,
          offer.invitation().id(),
          ErrorCode.FORBIDDEN);
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "The invitation is for another mail address than the one you signed in with, or nobody"
              + " vouches for yours. Sign in with the address that was invited.");
    }
    return transactions.within(
        organization,
        () -> {
          Invitation open =
              invitations
                  .lock(organization, offer.invitation().id())
                  .filter(now -> now.isOpen(clock.instant()))
                  .filter(
                      now ->
                          invitations.hasToken(organization, now.id(), InvitationToken.hash(token)))
                  .orElseThrow(InvitationService::useless);
          invitations.accept(organization, open.id(), person.id(), clock.instant());
          join(organization, person.id(), open.grants());
          audit.done(
              organization,
              actor,
              "invitation.accept",
              TYPE,
              open.id(),
              open,
              members.find(organization, person.id()).orElseThrow());
          return new Offer(
              organization, offer.organizationName(), get(organization, open.id()), offer.mailed());
        });
  }

  private boolean isProven(Offer offer, Person person) {
    return person.mailVerified()
        || (!offer.mailed() && people.isVouchedBy(person.id(), People.OWN_ACCOUNTS));
  }

  /**
   * Whoever belongs to the organisation already keeps what they are and gets the rest; a disabled
   * member stays disabled.
   */
  private void join(TenantId organization, String person, List<String> grants) {
    members.lockAll(organization);
    Instant now = clock.instant();
    if (members.add(organization, person, grants, now)) {
      return;
    }
    Member before = members.find(organization, person).orElseThrow();
    TreeSet<String> all = new TreeSet<>(before.grants());
    if (all.addAll(grants)) {
      members.update(
          organization,
          new Member(
              person,
              before.mail(),
              before.displayName(),
              List.copyOf(all),
              before.disabledAt(),
              before.version() + 1,
              before.createdAt(),
              now));
    }
  }

  private static void refuseAccepted(Invitation invitation) {
    if (invitation.acceptedAt() != null) {
      throw ProblemException.of(
          ErrorCode.CONFLICT, "The invitation was accepted. Change or remove the member instead.");
    }
  }

  private static ProblemException useless() {
    return ProblemException.of(
        ErrorCode.NOT_FOUND,
        "The link of this invitation is not good: used, revoked, replaced, too old, or never made."
            + " Ask for a new one.");
  }

  private static Invitation found(Optional<Invitation> invitation) {
    return invitation.orElseThrow(
        () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such invitation."));
  }
}

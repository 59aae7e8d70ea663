package io.tidemark.platform.access;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.TenantId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Invitations to organisations. The token of an invitation's link is known to whoever made it, this
 * once; only its hash is kept. Whether the caller may give a role is not asked here.
 *
 * <p>Throws {@link io.tidemark.platform.shared.ProblemException}: {@code not_found}, {@code
 * invalid_request}, {@code conflict}, {@code forbidden}.
 */
public interface Invitations {

  /**
   * An invitation and the token of its link.
   *
   * @param token null when a repeated request found what was made before
   */
  record Issued(Invitation invitation, @Nullable String token) {

    @Override
    public String toString() {
      return "Issued[" + invitation + "]";
    }
  }

  /**
   * An invitation that somebody holds the link of.
   *
   * @param mailed whether the link was sent to the mail address, which proves who reads it
   */
  record Offer(
      TenantId organization, String organizationName, Invitation invitation, boolean mailed) {}

  /** By identifier; those accepted, revoked and expired too. */
  Page<Invitation> list(TenantId organization, PageRequest page);

  Invitation get(TenantId organization, String id);

  /** Makes one, once for an idempotency key. */
  Created<Issued> invite(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      String mail,
      List<String> grants);

  /**
   * Makes a new link with a new time, once for an idempotency key; the old one is dead. Not for one
   * that was accepted.
   */
  Created<Issued> sendAgain(
      TenantId organization, Actor actor, @Nullable String idempotencyKey, String id);

  /** The link went to the mail address and was shown to nobody. */
  void mailed(TenantId organization, Issued issued);

  /** Makes its link useless. */
  void revoke(TenantId organization, Actor actor, String id);

  /** The open invitation of a link; empty when there is none, whatever the reason. */
  Optional<Offer> offer(String token);

  /**
   * Joins the organisation, once.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code not_found} when the link is not, or
   *     no longer, good; {@code forbidden} when it is bound to another mail address than the
   *     person's, or nobody vouches for that address. Where Tidemark keeps the accounts itself, the
   *     link is enough that was shown to whoever invites: it was given to the person by hand
   */
  Offer accept(String token, Person person, @Nullable String address);
}

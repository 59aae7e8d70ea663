package io.tidemark.platform.access;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.TenantId;
import java.util.List;

/**
 * Who belongs to an organisation. Whether the caller may give a role is not asked here.
 *
 * <p>Throws {@link io.tidemark.platform.shared.ProblemException}: {@code not_found}, {@code
 * invalid_request}, {@code precondition_failed}; {@code conflict} when nobody would be left to
 * administer the organisation.
 */
public interface Members {

  /** By identifier of the person. */
  Page<Member> list(TenantId organization, PageRequest page);

  Member get(TenantId organization, String person);

  /** Replaces what the person is in the organisation. */
  Member change(
      TenantId organization,
      Actor actor,
      String person,
      ExpectedVersion expected,
      List<String> grants);

  /**
   * Takes all that the person has in the organisation, at once, and keeps what they are in it.
   * Again it changes nothing.
   */
  Member disable(TenantId organization, Actor actor, String person, ExpectedVersion expected);

  /** Gives it back. For somebody who is not disabled it changes nothing. */
  Member enable(TenantId organization, Actor actor, String person, ExpectedVersion expected);

  /** Removes the person from the organisation, at once. */
  void remove(TenantId organization, Actor actor, String person, ExpectedVersion expected);
}

package io.tidemark.platform.shared;

import java.util.List;
import java.util.Optional;

/**
 * Who the current HTTP request of an API is from. A key belongs to one organisation, a person to
 * any number.
 */
public interface CurrentCaller {

  /**
   * Who calls, whatever the organisation.
   *
   * @param kind {@code api_key} or {@code person}
   * @param id of the key or the person
   * @param log the organisation whose audit log tells of what belongs to no other: the key's own,
   *     for people the platform's
   */
  record Identity(String kind, String id, TenantId log) {

    public boolean isPerson() {
      return kind.equals("person");
    }
  }

  /** Who calls; a controller is never reached without one. */
  Identity identity();

  /**
   * The caller in the organisation that the request is about without its path saying so: the key's;
   * for a person the one that the header Tidemark-Organization names, or the only one.
   *
   * @throws ProblemException {@code invalid_request} when it is not clear which, {@code not_found}
   *     when the person does not belong to it
   */
  Caller current();

  /**
   * The caller in that organisation; empty when the caller does not belong to it, whether it exists
   * or not.
   *
   * @param organization as the path names it
   */
  Optional<Caller> in(String organization);

  /** The organisations that the caller belongs to, by identifier. */
  List<TenantId> organizations();
}

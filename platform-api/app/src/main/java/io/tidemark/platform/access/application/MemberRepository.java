package io.tidemark.platform.access.application;

import io.tidemark.platform.access.Member;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where it is kept who belongs to an organisation. */
public interface MemberRepository {

  /** By identifier of the person, after the given one. */
  List<Member> list(TenantId organization, String after, int most);

  Optional<Member> find(TenantId organization, String person);

  /** Whether the person did not belong to the organisation. */
  boolean add(TenantId organization, String person, List<String> grants, Instant now);

  void update(TenantId organization, Member changed);

  void remove(TenantId organization, String person);

  /** Keeps all others from changing who belongs to the organisation until the transaction ends. */
  void lockAll(TenantId organization);

  /** How many have exactly that grant and are not disabled. */
  int having(TenantId organization, String grant);
}

package io.tidemark.platform.access;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.EnvironmentId;
import java.util.Set;

/** An authenticated API key: whose it is and what it may do. */
public record Caller(
    TenantId organization, EnvironmentId environment, String keyId, Set<Scope> scopes) {

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /**
   * Refuses a caller that lacks the scope.
   *
   * @throws ProblemException {@code forbidden}
   */
  public void require(Scope scope) {
    if (!scopes.contains(scope)) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "The key " + keyId + " lacks the scope " + scope.wireName() + "; use a key that has it.");
    }
  }
}

package io.tidemark.platform.access.application;

import io.tidemark.platform.access.domain.Grant;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Environments;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What a person is to be in an organisation, checked and in one order. */
final class ValidatedGrants {

  private static final int MAX = 50;

  private final Environments environments;

  ValidatedGrants(Environments environments) {
    this.environments = environments;
  }

  /** The texts, sorted, each once; adds what is wrong with them. */
  List<String> of(TenantId organization, List<String> texts, List<String> faults) {
    TreeSet<String> sorted = new TreeSet<>();
    for (String text : texts) {
      Optional<Grant> grant = text == null ? Optional.empty() : Grant.parse(text);
      if (grant.isEmpty()) {
        faults.add("grants must name roles of vocabulary/permissions.yaml.");
      } else if (grant.get().environment() != null
          && environments.inAnyState(organization, grant.get().environment()).isEmpty()) {
        faults.add("There is no environment " + grant.get().environment() + " to give a role in.");
      } else {
        sorted.add(grant.get().text());
      }
    }
    if (sorted.isEmpty() && faults.isEmpty() || sorted.size() > MAX) {
      faults.add("grants must have 1 to " + MAX + " entries.");
    }
    return List.copyOf(sorted);
  }

  static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, faults.stream().distinct().limit(20).toList());
    }
  }
}

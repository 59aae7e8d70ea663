package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plans which transitions of one poll share a transaction. Pure.
 *
 * <p>A batch belongs to one organisation and keeps the order of the poll, so transitions of a group
 * are recorded in the order in which they were decided. A transition that the poll has twice is
 * planned once.
 */
final class TransitionBatches {

  /** Transitions of one transaction at most; bounds how long its rules are locked. */
  static final int MAX_BATCH_SIZE = 500;

  private TransitionBatches() {}

  /**
   * Transitions that are recorded in one transaction, in this order.
   *
   * @param transitions at least one, all of the organisation
   */
  record Batch(TenantId organization, List<AlertTransition> transitions) {

    Batch {
      transitions = List.copyOf(transitions);
    }

    boolean isSingle() {
      return transitions.size() == 1;
    }

    /** The same transitions in two batches, to be recorded one after the other. */
    List<Batch> halves() {
      int middle = transitions.size() / 2;
      return List.of(
          new Batch(organization, transitions.subList(0, middle)),
          new Batch(organization, transitions.subList(middle, transitions.size())));
    }
  }

  /** Batches of a poll; the organisation whose transition was read first comes first. */
  static List<Batch> of(List<AlertTransition> polled) {
    Map<TenantId, List<AlertTransition>> byOrganization = new LinkedHashMap<>();
    Map<TenantId, Set<String>> planned = new LinkedHashMap<>();
    for (AlertTransition transition : polled) {
      TenantId organization = transition.organization();
      if (planned.computeIfAbsent(organization, key -> new HashSet<>()).add(transition.id())) {
        byOrganization.computeIfAbsent(organization, key -> new ArrayList<>()).add(transition);
      }
    }
    List<Batch> batches = new ArrayList<>();
    byOrganization.forEach(
        (organization, transitions) -> {
          for (int from = 0; from < transitions.size(); from += MAX_BATCH_SIZE) {
            int to = Math.min(from + MAX_BATCH_SIZE, transitions.size());
            batches.add(new Batch(organization, transitions.subList(from, to)));
          }
        });
    return batches;
  }
}

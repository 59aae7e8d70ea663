package io.tidemark.provision;

import java.util.ArrayList;
import java.util.List;

/**
 * What one step did.
 *
 * @param summary a few words
 * @param changes a line for each thing that was there, but not as declared, or that its operator
 *     has to change
 */
record StepReport(String summary, List<String> changes) {
  /**
   * @param created how many things were missing
   */
  static StepReport of(int created, List<String> changes) {
    if (created == 0 && changes.isEmpty()) {
      return new StepReport("as declared", changes);
    }
    String both = created > 0 && !changes.isEmpty() ? ", " : "";
    return new StepReport(
        (created > 0 ? created + " created" : "")
            + both
            + (changes.isEmpty() ? "" : changes.size() + " changed"),
        changes);
  }

  /** This and what was done beside it, if anything. */
  StepReport and(String name, StepReport beside) {
    return new StepReport(summary + "; " + name + " " + beside.summary(), changes)
        .noting(beside.changes());
  }

  /** This and lines of what was found and not changed. */
  StepReport noting(List<String> lines) {
    List<String> all = new ArrayList<>(changes);
    all.addAll(lines);
    return new StepReport(summary, all);
  }
}

package io.tidemark.platform.promql.application;

import io.tidemark.platform.query.domain.Answer.Completeness;
import io.tidemark.platform.query.domain.BucketState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an answer says of itself beside its values. Mutable. */
final class ResponseAnnotations {

  private final Set<String> texts = new LinkedHashSet<>();
  private @Nullable BucketState state;
  private @Nullable Instant completeUntil;
  private boolean isKnown = true;
  private long lateRevisions;
  private boolean isBehind;
  private @Nullable Instant readUntil;

  void add(String text) {
    texts.add(text);
  }

  /** One more reading that the answer is made of. */
  void add(Completeness completeness) {
    if (state == null || completeness.state().compareTo(state) > 0) {
      state = completeness.state();
    }
    isKnown &= completeness.completeUntil().isPresent();
    completeness
        .completeUntil()
        .ifPresent(
            until ->
                completeUntil =
                    completeUntil == null || until.isBefore(completeUntil) ? until : completeUntil);
    lateRevisions += completeness.lateRevisions();
    isBehind |= completeness.isBehind();
    // The first was known before any of the rows was read.
    if (readUntil == null) {
      readUntil = completeness.readUntil().orElse(null);
    }
  }

  /** All of it; nothing of an answer for which nothing was read. */
  List<String> texts() {
    List<String> all = new ArrayList<>();
    if (state != null) {
      all.add(
          "completeness: state="
              + state.name().toLowerCase(Locale.ROOT)
              + " complete_until="
              + (isKnown && completeUntil != null ? completeUntil : "unknown")
              + " late_revisions="
              + lateRevisions);
    }
    if (isBehind) {
      all.add(
          "behind: points received since "
              + (readUntil == null ? "an unknown time" : readUntil)
              + " may be missing, the pipeline is reading a backlog or does not run");
    }
    all.addAll(texts);
    return all;
  }
}

package io.tidemark.platform.replay;

import org.jspecify.annotations.Nullable;

/**
 * Letters with the same reason and outcome.
 *
 * @param outcome {@code to_replay}, {@code replayed}, {@code replayed_before} or {@code
 *     not_replayable}
 * @param detail why they cannot be replayed; null for others
 * @param points of letters whose number of points is known
 */
public record ReplayCount(
    String reason, String outcome, @Nullable String detail, long letters, long points) {}

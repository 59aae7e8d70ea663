package io.tidemark.platform.receipts;

import io.tidemark.platform.receipts.Receipt.Rejected;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what became of the copies of one batch, as the jobs decide it (ADR 0012): the first copy
 * counts, and so does one received more than an hour after the last that counted. A copy that was
 * refused as a whole because its tenant does not exist is not remembered, so the next one counts.
 */
final class DeduplicationOutcome {

  private static final Duration HORIZON = Duration.ofHours(1);
  private static final String REFUSED_AS_A_WHOLE = "UNKNOWN_TENANT";

  /**
   * A copy and what was set aside of it. One without points never came into the points topic.
   *
   * @param setAside points by reason
   */
  record Copy(
      Instant receivedAt, long points, Map<String, Long> rejected, Map<String, Long> setAside) {

    boolean isRefused() {
      return points == 0 || setAside.containsKey(REFUSED_AS_A_WHOLE);
    }
  }

  private final Map<String, Long> byGateway = new TreeMap<>();
  private final Map<String, Long> byPipeline = new TreeMap<>();
  private @Nullable Instant countedAt;
  private long accepted;
  private int counted;
  private int duplicates;
  private @Nullable Instant lastDuplicateAt;

  /** Of copies in the order of their places. */
  DeduplicationOutcome(List<Copy> copies) {
    copies.forEach(this::add);
  }

  private void add(Copy copy) {
    if (copy.isRefused()) {
      sum(byGateway, copy.rejected());
      sum(byPipeline, copy.setAside());
    } else if (countedAt != null
        && Duration.between(countedAt, copy.receivedAt()).compareTo(HORIZON) <= 0) {
      duplicates++;
      lastDuplicateAt = copy.receivedAt();
    } else {
      countedAt = copy.receivedAt();
      counted++;
      sum(byGateway, copy.rejected());
      sum(byPipeline, copy.setAside());
      long aside = copy.setAside().values().stream().mapToLong(Long::longValue).sum();
      accepted += Math.max(0, copy.points() - aside);
    }
  }

  private static void sum(Map<String, Long> into, Map<String, Long> more) {
    more.forEach((reason, points) -> into.merge(reason, points, Long::sum));
  }

  long accepted() {
    return accepted;
  }

  int counted() {
    return counted;
  }

  int duplicates() {
    return duplicates;
  }

  /** Null without. */
  @Nullable Instant lastDuplicateAt() {
    return lastDuplicateAt;
  }

  List<Rejected> rejected() {
    return java.util.stream.Stream.concat(
            rejected(byGateway, true).stream(), rejected(byPipeline, false).stream())
        .toList();
  }

  private static List<Rejected> rejected(Map<String, Long> points, boolean byGateway) {
    return points.entrySet().stream()
        .map(reason -> new Rejected(reason.getKey(), reason.getValue(), byGateway))
        .toList();
  }
}

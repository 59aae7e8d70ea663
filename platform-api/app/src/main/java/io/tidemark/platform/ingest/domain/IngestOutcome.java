package io.tidemark.platform.ingest.domain;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a batch. Every protocol translates it to its own answer. */
public sealed interface IngestOutcome {

  /**
   * Kafka has the accepted part, or there was nothing to store.
   *
   * @param points number of accepted points
   * @param rejections what was refused; the sender must not send it again
   * @param receipt by which the sender can ask what became of it; null when nothing was stored
   */
  record Accepted(long points, Rejections rejections, @Nullable BatchId receipt)
      implements IngestOutcome {}

  /** Another batch came with the Idempotency-Key within the hour; the sender must use a new one. */
  record KeyReused(IdempotencyKey key) implements IngestOutcome {

    /** A sentence for the sender. */
    public String detail() {
      return "The Idempotency-Key "
          + key
          + " came with other bytes within the last hour. Nothing of this batch was stored; send it"
          + " with a key of its own.";
    }
  }

  /**
   * The tenant has used up a quota, or has more series than a budget and wants them refused;
   * nothing of the request was read. The sender should send it again after the given time.
   *
   * @param limit of a quota for a second, of a budget in series
   */
  record OverQuota(SenderLimit quota, long limit, Duration retryAfter) implements IngestOutcome {

    /** Some sentences for the sender. */
    public String detail() {
      if (quota instanceof SeriesBudget) {
        return "The environment has more series than its budget "
            + quota.wireName()
            + " of "
            + limit
            + " and is set to refuse what it sends then. Send again after "
            + retryAfter.toSeconds()
            + " s, drop labels that change all the time, or ask for a higher budget.";
      }
      return "The quota "
          + quota.wireName()
          + " of "
          + limit
          + " is used up. Send again after "
          + retryAfter.toSeconds()
          + " s, or ask for a higher quota.";
    }
  }

  /** The body is not what it says it is; the sender must not send it again. */
  record Malformed(String detail) implements IngestOutcome {}

  /** The body is larger than the limit; the sender must not send it again. */
  record TooLarge(long limitInBytes) implements IngestOutcome {}

  /**
   * Nothing is known to be stored; the sender should send the same bytes again. They may be stored
   * already, which the batch id makes harmless.
   */
  record NotStored(String detail, Duration retryAfter) implements IngestOutcome {}
}

package io.tidemark.platform.ingest.web;

import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a request when its outcome is there, and gives the thread back until then. */
final class AsyncResponse {

  private static final Logger LOG = LoggerFactory.getLogger(AsyncResponse.class);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private AsyncResponse() {}

  /** Writes an outcome as the protocol has it. */
  @FunctionalInterface
  interface Writing {

    /**
     * Writes the whole answer.
     *
     * @param outcome null when there was a fault of Tidemark, which is in the log
     */
    void write(HttpServletResponse response, @Nullable IngestOutcome outcome) throws IOException;
  }

  static void to(
      HttpServletRequest request,
      CompletionStage<IngestOutcome> pending,
      InFlightByteLimiter.Reservation holding,
      Writing writing) {
    AsyncContext exchange = request.startAsync();
    exchange.setTimeout(LONGEST.toMillis());
    var unused =
        pending.whenComplete(
            (outcome, fault) -> {
              holding.close();
              if (isShort(outcome)) {
                // Stays in the buffer; a thread of the container sends it.
                finish(exchange, outcome, fault, writing);
              } else {
                // Not on Kafka's own thread: a slow reader of answers must not delay other batches.
                exchange.start(() -> finish(exchange, outcome, fault, writing));
              }
            });
  }

  /** Whether the answer says no more than that all was taken. */
  private static boolean isShort(IngestOutcome outcome) {
    return outcome instanceof Accepted accepted && accepted.rejections().isEmpty();
  }

  private static void finish(
      AsyncContext exchange, IngestOutcome outcome, Throwable fault, Writing writing) {
    try {
      if (fault != null) {
        LOG.error("A batch failed", fault);
      }
      writing.write((HttpServletResponse) exchange.getResponse(), fault == null ? outcome : null);
    } catch (IOException gone) {
      LOG.debug("A sender did not wait for its answer", gone);
    } finally {
      exchange.complete();
    }
  }
}

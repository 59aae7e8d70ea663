package io.tidemark.platform.notification;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Posts a message to an address, if the address may be posted to. */
public interface WebhookTransport {

  /**
   * What came of a post.
   *
   * @param status null when there was no answer
   * @param error why there was none; null with one
   * @param answer the beginning of the body, printable; null without an answer
   * @param retryAfter what the receiver asked for; null when it did not
   */
  record Result(
      @Nullable Integer status,
      @Nullable String error,
      @Nullable String answer,
      @Nullable Duration retryAfter) {

    boolean isTaken() {
      return status != null && status >= 200 && status < 300;
    }
  }

  /** Looks the address up anew, refuses what is not public, and follows no redirect. */
  Result post(String url, Map<String, String> headers, String body);
}

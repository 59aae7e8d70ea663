package io.tidemark.platform.notification;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether an integration takes messages, after one attempt and the next. Pure.
 *
 * @param failingSince null when the last message was taken
 * @param failures attempts in a row that found the receiver away
 * @param pausedUntil null when messages may be attempted
 * @param disabledReason why deliveries stopped by themselves; null while they do not
 */
record IntegrationHealth(
    @Nullable Instant failingSince,
    int failures,
    @Nullable Instant pausedUntil,
    @Nullable String disabledReason) {

  private static final int GONE = 410;

  static IntegrationHealth of(Integration integration) {
    return new IntegrationHealth(
        integration.failingSince(),
        integration.failures(),
        integration.pausedUntil(),
        integration.disabledReason());
  }

  /** A message was taken. One that was disabled stays so. */
  IntegrationHealth taken() {
    return failingSince == null && failures == 0
        ? this
        : new IntegrationHealth(null, 0, null, disabledReason);
  }

  /** Everything that waits is due again once the receiver is back. */
  boolean hasWaiting() {
    return failures > 1;
  }

  /**
   * A message was not taken.
   *
   * @param status null without an answer
   * @param isAway whether the receiver, and not the message, was the fault
   * @param pause how long it is left alone when it is away
   */
  IntegrationHealth failed(
      @Nullable Integer status,
      boolean isAway,
      Duration pause,
      Duration disableAfter,
      Instant now) {
    Instant since = failingSince == null ? now : failingSince;
    String disabled = disabledReason;
    if (status != null && status == GONE) {
      disabled = "The receiver answered 410: it does not want messages any more.";
    } else if (!now.isBefore(since.plus(disableAfter))) {
      disabled = "No message was taken since " + since + ".";
    }
    return new IntegrationHealth(
        since, failures + (isAway ? 1 : 0), isAway ? now.plus(pause) : null, disabled);
  }
}

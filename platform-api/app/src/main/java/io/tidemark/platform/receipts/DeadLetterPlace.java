package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a letter stands in the list, which goes from new to old. */
record DeadLetterPlace(Instant receivedAt, DeadLetterId id) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,17})/(\\d{1,6}-\\d{1,18})");

  /** Before all. */
  private static final DeadLetterPlace FIRST =
      new DeadLetterPlace(
          Instant.parse("9999-01-01T00:00:00Z"), new DeadLetterId(999_999, Long.MAX_VALUE));

  static DeadLetterPlace of(DeadLetterSummary letter) {
    return new DeadLetterPlace(letter.receivedAt(), letter.id());
  }

  /**
   * The place that a text says, empty for the first.
   *
   * @throws ProblemException {@code invalid_request}
   */
  static DeadLetterPlace of(String text) {
    if (text.isEmpty()) {
      return FIRST;
    }
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "cursor is of another list. Take it from meta.next_cursor, or leave it out.");
    }
    return new DeadLetterPlace(
        Instant.EPOCH.plus(Long.parseLong(found.group(1)), ChronoUnit.MICROS),
        DeadLetterId.of(found.group(2)).orElseThrow());
  }

  @Override
  public String toString() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, receivedAt) + "/" + id;
  }
}

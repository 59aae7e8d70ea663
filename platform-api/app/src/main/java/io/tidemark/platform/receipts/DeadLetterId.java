package io.tidemark.platform.receipts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a letter is in its topic, as in {@code 3-1207}. */
public record DeadLetterId(int partition, long offset) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,6})-(\\d{1,18})");

  /** Empty when the text is none. */
  public static Optional<DeadLetterId> of(String text) {
    Matcher found = FORM.matcher(text);
    return found.matches()
        ? Optional.of(
            new DeadLetterId(Integer.parseInt(found.group(1)), Long.parseLong(found.group(2))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return partition + "-" + offset;
  }
}

package io.tidemark.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The password that platform-api prints when nobody has an account yet: at the very first start.
 */
final class FirstSignIn {
  private static final Pattern LINE =
      Pattern.compile("^(\\S+Z) .*First sign-in: (mail address .*)$");

  private FirstSignIn() {}

  /** What platform-api's logs say of it, when it was said by this start: one process says it. */
  static Optional<String> printedSince(Instant start, List<Path> logs) throws IOException {
    for (Path log : logs) {
      Optional<String> printed = printedSince(start, log);
      if (printed.isPresent()) {
        return printed;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> printedSince(Instant start, Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines
          .map(LINE::matcher)
          .filter(Matcher::matches)
          .filter(line -> isSince(line.group(1), start))
          .map(line -> line.group(2))
          .findFirst();
    }
  }

  private static boolean isSince(String time, Instant start) {
    try {
      return !Instant.parse(time).isBefore(start);
    } catch (DateTimeParseException otherForm) {
      return false;
    }
  }
}

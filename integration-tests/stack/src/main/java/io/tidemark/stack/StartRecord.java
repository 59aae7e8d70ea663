package io.tidemark.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** How long the last start took; shown by {@code make stack-report}. */
final class StartRecord {
  private StartRecord() {}

  static Path file(StackSettings settings) {
    return settings.home().resolve("run/last-start.txt");
  }

  static void write(StackSettings settings, Duration ready, Optional<Duration> answered)
      throws IOException {
    Files.writeString(
        file(settings),
        "  all components serve   %.1f s%n  first query answered   %s (150 s allowed)%n"
            .formatted(
                ready.toMillis() / 1e3,
                answered.map(d -> "%.1f s".formatted(d.toMillis() / 1e3)).orElse("not in time")));
  }
}

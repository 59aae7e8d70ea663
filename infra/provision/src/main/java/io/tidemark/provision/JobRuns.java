package io.tidemark.provision;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * The runs that one job has had: a file of a line per run, its Flink job id, each followed by
 * {@value #ENDED} once the run was stopped with a savepoint.
 */
record JobRuns(Path file) {
  private static final String ENDED = "ended";

  void begun(String id) throws IOException {
    append(id);
  }

  /** The last run was stopped: nothing of it will come back. */
  void ended() throws IOException {
    if (open().isPresent()) {
      append(ENDED);
    }
  }

  /** Id of the last run, unless it was stopped: the cluster may still have it, or recover it. */
  Optional<String> open() throws IOException {
    List<String> lines = lines();
    return lines.isEmpty() || lines.get(lines.size() - 1).equals(ENDED)
        ? Optional.empty()
        : Optional.of(lines.get(lines.size() - 1));
  }

  /** Ids of all runs, the oldest first. */
  List<String> all() throws IOException {
    return lines().stream().filter(line -> !line.equals(ENDED)).toList();
  }

  private List<String> lines() throws IOException {
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
  }

  private void append(String line) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}

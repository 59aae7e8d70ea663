package io.tidemark.flink.rollup.savepoint;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Not a test: {@code make savepoint-fixture} runs it. */
class TakeSavepoint {

  private static final long DEADLINE_NANOS = Duration.ofMinutes(8).toNanos();

  @TempDir Path folder;

  @Test
  void takeSavepoint() throws Exception {
    Path target = Path.of(System.getProperty("savepoint.target", "target/savepoint"));
    Configuration configuration = new Configuration();
    // One file holds everything.
    configuration.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.parse("1mb"));
    SavepointJob job = new SavepointJob(2, SavepointInput.make().before(), configuration);
    JobClient client = job.environment.executeAsync("savepoint");
    long began = System.nanoTime();
    // The watermark has passed two minutes; the third, the hour and the day stay open.
    while (job.rows().stream().filter(row -> row.contains("\"latency\"")).count() < 2) {
      assertTrue(System.nanoTime() - began < DEADLINE_NANOS, "no rows");
      LockSupport.parkNanos(20_000_000);
    }
    String savepoint =
        client
            .stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
            .get(8, TimeUnit.MINUTES);
    Path taken = Path.of(java.net.URI.create(savepoint));
    Files.createDirectories(target);
    Files.copy(
        taken.resolve("_metadata"),
        target.resolve("_metadata"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Files.write(target.resolve("rows-before.txt"), job.rows());
    try (var files = Files.list(taken)) {
      assertTrue(files.count() == 1, "the savepoint is one file");
    }
  }
}

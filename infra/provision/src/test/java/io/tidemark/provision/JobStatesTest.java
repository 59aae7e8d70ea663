package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobStatesTest {
  @TempDir private Path root;

  @Test
  void onlyWhatIsCompleteIsFound() throws Exception {
    Files.createDirectories(root.resolve("savepoints/rollup/savepoint-1"));
    Files.writeString(root.resolve("savepoints/rollup/savepoint-1/_metadata"), "complete");
    Files.createDirectories(root.resolve("savepoints/rollup/savepoint-2"));
    JobStates states = JobStates.at("file://" + root, Map.of());

    assertThat(states.below("savepoints/rollup"))
        .extracting(JobStates.Found::uri)
        .containsExactly(root.resolve("savepoints/rollup/savepoint-1").toUri().toString());
    assertThat(states.below("savepoints/lake")).isEmpty();
  }

  @Test
  void aBucketIsNamedAsTheClusterNamesIt() {
    JobStates states = JobStates.at("s3://tidemark-flink", Map.of());

    assertThat(states.uri("savepoints/lake")).isEqualTo("s3://tidemark-flink/savepoints/lake");
  }
}

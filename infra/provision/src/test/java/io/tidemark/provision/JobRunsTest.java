package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRunsTest {
  @TempDir private Path folder;

  @Test
  void aRunIsOpenUntilItWasStopped() throws IOException {
    JobRuns runs = new JobRuns(folder.resolve("jobs/rollup.ids"));
    assertThat(runs.open()).isEmpty();
    assertThat(runs.all()).isEmpty();

    runs.begun("a1");
    assertThat(runs.open()).contains("a1");

    runs.ended();
    runs.ended();
    assertThat(runs.open()).isEmpty();

    runs.begun("b2");
    assertThat(runs.open()).contains("b2");
    assertThat(runs.all()).containsExactly("a1", "b2");
  }
}

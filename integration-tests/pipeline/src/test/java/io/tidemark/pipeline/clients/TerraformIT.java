package io.tidemark.pipeline.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.RunningStack;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Terraform makes an environment, a service account with a key and a retention policy at the stack,
 * sees what others changed, and destroys all of it.
 */
@ExtendWith(RunningStack.class)
class TerraformIT {

  private final RunningStack.Started stack = RunningStack.get();

  @Test
  void appliesPlansAndDestroys() throws Exception {
    Path tests =
        Path.of(System.getProperty("tidemark.root"))
            .toRealPath()
            .resolve("integration-tests/terraform");
    File told = Files.createTempFile("terraform", ".txt").toFile();
    ProcessBuilder go =
        new ProcessBuilder(
                "go", "test", "-count=1", "-v", "-run", "TestFirstApplyToDestroy", "./...")
            .directory(tests.toFile())
            .redirectErrorStream(true)
            .redirectOutput(told);
    for (String name : new String[] {"TIDEMARK_URL", "TIDEMARK_API_KEY", "TIDEMARK_API_SECRET"}) {
      go.environment().put(name, stack.coordinates().get(name));
    }
    Process process = go.start();
    boolean isOver = process.waitFor(8, TimeUnit.MINUTES);
    process.destroy();
    String text = Files.readString(told.toPath());
    Files.delete(told.toPath());
    assertThat(isOver).as(text).isTrue();
    assertThat(process.exitValue()).as(text).isZero();
    assertThat(text).contains("--- PASS: TestFirstApplyToDestroy");
  }
}

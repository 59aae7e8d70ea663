package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The provider's acceptance tests, integration-tests/terraform, against the application: every
 * resource with the real Terraform program.
 */
@ExtendWith(RunningPlatform.Extension.class)
class TerraformProviderIT {

  private static final Path TESTS =
      Path.of("..", "..", "integration-tests", "terraform").toAbsolutePath().normalize();

  private final RunningPlatform platform;

  TerraformProviderIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @Test
  void everyResourceIsMadeChangedImportedAndDestroyed() throws Exception {
    String[] key = TestingKeys.userAndPassword(RunningPlatform.DEMO_KEY);
    File told = Files.createTempFile("terraform", ".txt").toFile();
    ProcessBuilder go =
        new ProcessBuilder("go", "test", "-count=1", "-v", "-timeout", "20m", "./...")
            .directory(TESTS.toFile())
            .redirectErrorStream(true)
            .redirectOutput(told);
    go.environment().put("TIDEMARK_URL", platform.api("").toString());
    go.environment().put("TIDEMARK_API_KEY", key[0]);
    go.environment().put("TIDEMARK_API_SECRET", key[1]);
    Process process = go.start();
    boolean isOver = process.waitFor(20, TimeUnit.MINUTES);
    process.destroy();
    String text = Files.readString(told.toPath());
    Files.delete(told.toPath());
    assertThat(isOver).as(text).isTrue();
    assertThat(process.exitValue()).as(text).isZero();
    assertThat(text).contains("--- PASS: ").doesNotContain("--- SKIP");
  }
}

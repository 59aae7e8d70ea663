package io.tidemark.stack.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackgroundCommandTest {
  private static String output(String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("setsid"));
    all.addAll(BackgroundCommand.of(7, List.of(command)));
    return said(all);
  }

  private static String said(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said;
  }

  @Test
  void theProcessIsNiceAndSoIsItsSession() throws Exception {
    // These tests may run at low priority themselves.
    int own = Integer.parseInt(said(List.of("nice")).strip());
    assertThat(output("nice").strip()).isEqualTo(Integer.toString(Math.min(19, own + 7)));
    Path session = Path.of("/proc/self/autogroup");
    // A kernel without the file shares out the cores between processes alone.
    if (Files.exists(session)) {
      assertThat(output("cat", session.toString()).strip()).endsWith("nice 7");
    }
  }

  @Test
  void argumentsAreHandedOverAsTheyAre() throws Exception {
    assertThat(output("printf", "%s|", "a b", "$0", "'")).isEqualTo("a b|$0|'|");
  }
}

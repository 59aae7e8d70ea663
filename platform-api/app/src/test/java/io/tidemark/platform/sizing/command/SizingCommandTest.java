package io.tidemark.platform.sizing.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code make sizing} prints. */
class SizingCommandTest {

  @TempDir private Path folder;

  @Test
  void aPlanIsATableWithALineForEachPart() {
    String text = SizingCommand.run(List.of("points=2000000", "series=10000000"));
    assertThat(text)
        .startsWith("2000000 points a second of 10000000 series; ")
        .containsPattern(
            "(?m)^Kafka brokers +m5\\.2xlarge +\\d+ .* space on volumes +\\d+\\.\\d MB/s, 16384 GB$")
        .containsPattern("(?m)^In all \\d+\\.\\d\\d USD a month\\. First to bind: .+\\.$")
        .doesNotContain("Does not fit");
    assertThat(text.lines().filter(line -> line.contains("m5.") || line.contains("r5.")))
        .hasSize(11);
  }

  @Test
  void whatDoesNotFitIsTheLastLine() {
    assertThat(SizingCommand.run(List.of("points=100000000", "series=1000000000")))
        .containsPattern("(?m)^Does not fit: \\d+ slots for the rollup job; .*max-parallelism 128");
  }

  @Test
  void aFileHasValuesThatSingleOnesReplace() throws IOException {
    Path file = Files.writeString(folder.resolve("load.yaml"), "points: 3000000\nseries: 77\n");
    assertThat(SizingCommand.run(List.of("--load=" + file, "series=88")))
        .startsWith("3000000 points a second of 88 series; ");
  }

  /** The page shows what the program says. */
  @Test
  void theScalingPageHasTheTableOfDecades() throws IOException {
    assertThat(Files.readString(Path.of("../../docs/scaling/README.md")))
        .as("make sizing LOAD=decades")
        .contains(SizingCommand.run(List.of("decades")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "point=1",
        "points=many",
        "points",
        "points=0",
        "busy=2",
        "brokers=abacus",
        "broker-volume=tape",
        "replication=0",
        "late=7",
        "--load=none.yaml",
        "--prices=none.yaml"
      })
  void wrongArgumentsAreRefused(String argument) {
    assertThatThrownBy(() -> SizingCommand.run(List.of(argument)))
        .isInstanceOfAny(
            IllegalArgumentException.class,
            io.tidemark.platform.sizing.yaml.SizingFileException.class)
        .hasMessageContaining(argument.replaceAll("^--\\w+=|=.*", ""));
  }
}

package io.tidemark.platform.sizing.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code make sizing} says of the loads of the chart's profiles is committed, and the tests of
 * the chart compare the profiles with it.
 */
class ChartProfilesTest {

  private static final Path CHECKOUT = Path.of("../..");
  private static final Pattern LOAD = Pattern.compile("make sizing LOAD=\"([^\"]+)\"");

  @ParameterizedTest
  @ValueSource(strings = {"small", "standard", "large"})
  void theCommittedReportIsWhatTheArithmeticSays(String profile) throws IOException {
    Path values = CHECKOUT.resolve("infra/helm/tidemark/profiles/" + profile + ".yaml");
    Matcher load = LOAD.matcher(Files.readString(values));
    assertThat(load.find()).as("%s names its load", values).isTrue();
    Path report = CHECKOUT.resolve("integration-tests/chart/sizing/" + profile + ".txt");
    assertThat(Files.readString(report))
        .as("make -s sizing LOAD=\"%s\" > %s", load.group(1), report)
        .isEqualTo(SizingCommand.run(List.of(load.group(1).split(" "))));
  }
}

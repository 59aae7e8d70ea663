package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ReferencePages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Generated pages of the reference say what their sources say; {@code make reference} writes them.
 */
class ReferencePagesTest {

  @Test
  void pagesAreThoseOfTheirSources() throws IOException {
    for (Map.Entry<String, String> page : ReferencePages.all().entrySet()) {
      if (Boolean.getBoolean("reference.write")) {
        Files.writeString(ReferencePages.file(page.getKey()), page.getValue());
      }
      assertThat(ReferencePages.file(page.getKey()))
          .as("run make reference")
          .content()
          .isEqualTo(page.getValue());
    }
  }

  /** What one line of the table too few would not show. */
  @Test
  void everyVariableOfTheSettingsIsOnThePage() throws IOException {
    Set<String> variables = new TreeSet<>();
    Matcher variable =
        Pattern.compile("TIDEMARK_[A-Z0-9_]+")
            .matcher(Files.readString(Path.of("src/main/resources/application.yaml")));
    while (variable.find()) {
      variables.add(variable.group());
    }
    assertThat(variables).hasSizeGreaterThan(40);
    assertThat(ReferencePages.all().get("configuration.md")).contains(variables);
  }
}

package io.tidemark.platform.signin.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpStatus;

/** Everybody can read and use the pages that the server makes: by eye, by ear, by keyboard. */
class PageTemplatesTest {

  private static final Path RESOURCES = Path.of("src", "main", "resources");

  static List<String> templates() throws IOException {
    try (Stream<Path> files = Files.list(RESOURCES.resolve("pages"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".html", ""))
          .filter(name -> !name.equals("layout"))
          .toList();
    }
  }

  private static String page(String template) {
    return PageTemplates.page(
            HttpStatus.OK, "A <title>", template, Map.of("mail", "a\"b"), List.of("A <fault>"))
        .getBody();
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(MatchResult::group).toList();
  }

  @ParameterizedTest
  @MethodSource("templates")
  void aPageSaysWhatItIsAndWhatIsWrong(String template) {
    String page = page(template);
    assertThat(page).contains("<html lang=\"en\">", "name=\"viewport\"");
    assertThat(all("<title>[^<]+</title>", page))
        .containsExactly("<title>A &lt;title&gt; · Tidemark</title>");
    assertThat(all("<h1>", page)).hasSize(1);
    assertThat(all("<main>", page)).hasSize(1);
    assertThat(page).contains("role=\"alert\"><p>A &lt;fault&gt;</p>");
    assertThat(page).doesNotContain("{{", "a\"b", "<script", " style=");
  }

  @ParameterizedTest
  @MethodSource("templates")
  void whatCanBeFilledInHasANameAndTheKeyboardGoesInOrder(String template) {
    String page = page(template);
    for (String input : all("<input[^>]*>", page)) {
      if (!input.contains("type=\"hidden\"")) {
        Matcher id = Pattern.compile(" id=\"([^\"]+)\"").matcher(input);
        assertThat(id.find()).as(input).isTrue();
        assertThat(page).contains("<label for=\"" + id.group(1) + "\">");
        assertThat(input).contains(" autocomplete=\"");
      }
    }
    assertThat(all(" id=\"[^\"]+\"", page)).doesNotHaveDuplicates();
    assertThat(page).doesNotContain("tabindex");
    assertThat(all(" autofocus", page)).hasSizeLessThan(2);
    assertThat(all("<form", page)).hasSameSizeAs(all("name=\"_csrf\"", page));
  }

  /** At least 4.5 for text and 3 for borders, as WCAG asks, by day and by night. */
  @ParameterizedTest
  @CsvSource({
    "text, ground, 4.5", "text, card, 4.5", "quiet, card, 4.5", "on-deep, deep, 4.5",
    "deep, card, 4.5", "alert, alert-ground, 4.5", "line, card, 3", "deep, ground, 3"
  })
  void coloursAreTellable(String front, String back, double least) throws IOException {
    for (Map<String, String> colours : schemes()) {
      assertThat(contrast(colours.get(front), colours.get(back)))
          .as(colours + " " + front + " on " + back)
          .isGreaterThanOrEqualTo(least);
    }
  }

  @Test
  void thereAreColoursForDayAndNight() throws IOException {
    assertThat(schemes()).hasSize(2).allSatisfy(colours -> assertThat(colours).hasSize(9));
  }

  private static List<Map<String, String>> schemes() throws IOException {
    String sheet =
        Files.readString(RESOURCES.resolve("static/assets/sign-in.css"), StandardCharsets.UTF_8);
    return Pattern.compile(":root \\{([^}]*)}")
        .matcher(sheet)
        .results()
        .map(
            block -> {
              Map<String, String> colours = new HashMap<>();
              Pattern.compile("--([a-z-]+): #([0-9a-f]{3,6});")
                  .matcher(block.group(1))
                  .results()
                  .forEach(colour -> colours.put(colour.group(1), colour.group(2)));
              return colours;
            })
        .map(Map::copyOf)
        .toList();
  }

  private static double contrast(String front, String back) {
    double one = luminance(front) + 0.05;
    double other = luminance(back) + 0.05;
    return Math.max(one, other) / Math.min(one, other);
  }

  private static double luminance(String colour) {
    String six = colour.length() == 3 ? colour.replaceAll("(.)", "$1$1") : colour;
    double[] weights = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      double part = Integer.parseInt(six.substring(2 * i, 2 * i + 2), 16) / 255.0;
      sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  }
}

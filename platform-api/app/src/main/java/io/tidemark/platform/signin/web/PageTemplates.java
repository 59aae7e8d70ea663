package io.tidemark.platform.signin.web;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.util.HtmlUtils;

/**
 * Makes the few pages that the server makes itself: Mustache templates in {@code pages/}, no
 * script, one style sheet. Texts are escaped; only the layout takes markup, that of the page in it.
 */
public final class PageTemplates {

  private static final Mustache.Compiler MUSTACHE =
      Mustache.compiler()
          .defaultValue("")
          .withEscaper(text -> HtmlUtils.htmlEscape(text, StandardCharsets.UTF_8.name()));
  private static final Map<String, Template> TEMPLATES = new ConcurrentHashMap<>();

  private PageTemplates() {}

  /**
   * A page.
   *
   * @param template its file in {@code pages/}
   * @param values by name: texts, truth values, and lists for sections; absent ones are empty
   * @param faults what was wrong with the form that was sent; empty for none
   */
  public static ResponseEntity<String> page(
      HttpStatus status,
      String title,
      String template,
      Map<String, ?> values,
      List<String> faults) {
    String page =
        template("layout")
            .execute(
                Map.of(
                    "title",
                    title,
                    "wrong",
                    !faults.isEmpty(),
                    "faults",
                    faults,
                    "body",
                    template(template).execute(values)));
    return ResponseEntity.status(status)
        .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
        .header("Cache-Control", "no-store")
        .body(page);
  }

  /** Sends an answer from where no controller is. */
  static void write(HttpServletResponse response, ResponseEntity<String> answer)
      throws IOException {
    response.setStatus(answer.getStatusCode().value());
    answer.getHeaders().forEach((name, values) -> response.setHeader(name, values.get(0)));
    if (answer.getBody() != null) {
      response.getWriter().write(answer.getBody());
    }
  }

  private static Template template(String name) {
    return TEMPLATES.computeIfAbsent(name, file -> MUSTACHE.compile(read(file)));
  }

  private static String read(String name) {
    try (InputStream file = new ClassPathResource("pages/" + name + ".html").getInputStream()) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }
}

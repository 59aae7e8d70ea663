package io.tidemark.platform.signin.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.util.HtmlUtils;

/**
 * The few pages that the server makes itself: no script, one style sheet. Texts are put into
 * templates ({@code {{name}}}) escaped; there is no other way in.
 */
public final class PageTemplates {

  private static final String LAYOUT = read("layout");

  private PageTemplates() {}

  /**
   * A page.
   *
   * @param template its file in {@code pages/}
   * @param texts by name; absent ones are empty
   * @param faults what was wrong with the form that was sent; empty for none
   */
  public static ResponseEntity<String> page(
      HttpStatus status,
      String title,
      String template,
      Map<String, String> texts,
      List<String> faults) {
    String body = read(template);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      body = body.replace("{{" + text.getKey() + "}}", escaped(text.getValue()));
    }
    StringBuilder alert = new StringBuilder();
    if (!faults.isEmpty()) {
      alert.append("<div class=\"alert\" role=\"alert\">");
      faults.forEach(fault -> alert.append("<p>").append(escaped(fault)).append("</p>"));
      alert.append("</div>");
    }
    String page =
        LAYOUT
            .replace("{{title}}", escaped(title))
            .replace("{{alert}}", alert)
            .replace("{{body}}", body.replaceAll("\\{\\{\\w+}}", ""));
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

  private static String escaped(String text) {
    // Braces too, so that no text becomes a place for another one.
    return HtmlUtils.htmlEscape(text, "UTF-8").replace("{", "&#123;");
  }

  private static String read(String name) {
    try (InputStream file = new ClassPathResource("pages/" + name + ".html").getInputStream()) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }
}

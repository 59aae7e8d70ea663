package io.tidemark.platform.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** Renders the pages of {@code docs/reference} that have a file as their source. */
public final class ReferencePages {

  private static final Path REPOSITORY = Path.of("..", "..");
  private static final Path FOLDER = REPOSITORY.resolve("docs/reference");
  private static final Pattern SETTING = Pattern.compile("( *)([a-z0-9-]+):(?: (.*))?");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(TIDEMARK_[A-Z0-9_]+):?(.*)}");

  private ReferencePages() {}

  /** Text of each page by its file name. */
  public static Map<String, String> all() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("configuration.md", configuration());
    pages.put("errors.md", errors());
    pages.put("permissions.md", permissions());
    pages.put("own-metrics.md", metrics());
    return pages;
  }

  /** Where a page lies. */
  public static Path file(String page) {
    return FOLDER.resolve(page);
  }

  private static String head(String title, String from) {
    return "# "
        + title
        + "\n\nGenerated from "
        + from
        + " by `make reference`; `ReferencePagesTest` fails when they differ.\n";
  }

  private static String link(String path) {
    return "[" + path + "](../../" + path + ")";
  }

  private static String row(String... cells) {
    return Stream.of(cells)
            .map(cell -> cell.replace("|", "\\|").replace("\n", " ").strip())
            .collect(Collectors.joining(" | ", "| ", " |"))
        + "\n";
  }

  private static String table(String... columns) {
    return "\n" + row(columns) + "|---".repeat(columns.length) + "|\n";
  }

  private static String code(String text) {
    return text.isEmpty() ? "" : "`" + text + "`";
  }

  private static String configuration() {
    String source = "platform-api/app/src/main/resources/application.yaml";
    StringBuilder page = new StringBuilder(head("Settings of platform-api", link(source)));
    page.append(
        """

        Each can be set in the environment too: `tidemark.query.slow-from` is `TIDEMARK_QUERY_SLOWFROM`. Where the table names a variable,
        that is the one to use. Durations have a unit (`500ms`, `20s`, `24h`), sizes as well (`16MB`). A missing or wrong value stops the
        start; all faults are listed at once.
        """);
    List<String> path = new ArrayList<>();
    List<String> comment = new ArrayList<>();
    for (String line : text(source).lines().toList()) {
      String plain = line.strip();
      if (plain.startsWith("#")) {
        comment.add(plain.substring(1).strip());
        continue;
      }
      Matcher setting = SETTING.matcher(line);
      if (!setting.matches()) {
        comment.clear();
        continue;
      }
      int depth = setting.group(1).length() / 2;
      path.subList(Math.min(depth, path.size()), path.size()).clear();
      path.add(setting.group(2));
      String value = setting.group(3);
      if (path.get(0).equals("tidemark")) {
        String meaning = String.join(" ", comment);
        if (depth == 1) {
          page.append("\n## ").append(path.get(1)).append("\n");
          page.append(meaning.isEmpty() || value != null ? "" : "\n" + meaning + "\n");
          page.append(table("setting", "variable", "default", "meaning"));
        }
        if (value != null) {
          Matcher variable = VARIABLE.matcher(value);
          boolean isNamed = variable.matches();
          page.append(
              row(
                  code(String.join(".", path)),
                  isNamed ? code(variable.group(1)) : "",
                  code(isNamed ? variable.group(2) : value),
                  meaning));
        } else if (depth > 1 && !meaning.isEmpty()) {
          page.append(row(code(String.join(".", path) + ".*"), "", "", meaning));
        }
      }
      comment.clear();
    }
    return page.toString();
  }

  private static String errors() {
    String errors = "platform-api/contracts/vocabulary/errors.yaml";
    String reasons = "platform-api/contracts/vocabulary/rejection-reasons.yaml";
    StringBuilder page = new StringBuilder(head("Errors", link(errors) + " and " + link(reasons)));
    page.append("\n## Codes of answers\n").append(table("code", "status", "meaning", "next step"));
    for (Map<String, Object> each : Contracts.list("vocabulary/errors.yaml", "errors")) {
      page.append(
          row(
              code(of(each, "code")),
              of(each, "status"),
              of(each, "meaning"),
              of(each, "next_step")));
    }
    page.append("\n## Why points are not taken\n")
        .append(table("reason", "at", "meaning", "next step"));
    for (Map<String, Object> each :
        Contracts.list("vocabulary/rejection-reasons.yaml", "reasons")) {
      String at =
          ((List<?>) each.get("at"))
              .stream().map(Object::toString).collect(Collectors.joining(", "));
      page.append(row(code(of(each, "name")), at, of(each, "meaning"), of(each, "next_step")));
    }
    return page.toString();
  }

  private static String permissions() {
    String source = "platform-api/contracts/vocabulary/permissions.yaml";
    StringBuilder page = new StringBuilder(head("Permissions and roles", link(source)));
    List<Map<String, Object>> roles = Contracts.list("vocabulary/permissions.yaml", "roles");
    page.append("\n## Permissions\n")
        .append(table("permission", "allows to", "roles that have it"));
    for (Map<String, Object> each : Contracts.list("vocabulary/permissions.yaml", "permissions")) {
      String having =
          roles.stream()
              .filter(role -> ((List<?>) role.get("permissions")).contains(each.get("name")))
              .map(role -> code(of(role, "name")))
              .collect(Collectors.joining(", "));
      page.append(row(code(of(each, "name")), of(each, "meaning"), having));
    }
    page.append("\n## Roles\n").append(table("role", "for"));
    roles.forEach(role -> page.append(row(code(of(role, "name")), of(role, "meaning"))));
    return page.toString();
  }

  private static String metrics() {
    String own = "infra/observability/own-metrics.yaml";
    List<String> rules = List.of("infra/kafka/jmx-rules.yaml", "infra/flink/jmx-rules.yaml");
    StringBuilder page =
        new StringBuilder(
            head(
                "Metrics that Tidemark reports about itself",
                link(own)
                    + ", "
                    + rules.stream()
                        .map(ReferencePages::link)
                        .collect(Collectors.joining(" and "))));
    page.append(
        """

        They are in the dataset `self`, where the metrics descriptors of a running stack list them with their descriptions; those of
        platform-api are scraped by a Prometheus too ([infra/observability](../../infra/observability/README.md)). platform-api also reports
        those of Spring Boot, Micrometer and Hikari.
        """);
    page.append("\n## platform-api\n").append(table("metric", "type", "unit", "meaning"));
    Map<String, List<Map<String, Object>>> ownMetrics = new Yaml().load(text(own));
    for (Map<String, Object> one : ownMetrics.get("metrics")) {
      page.append(row(code(of(one, "metric")), of(one, "type"), of(one, "unit"), of(one, "desc")));
    }
    for (String source : rules) {
      page.append("\n## ")
          .append(source.split("/")[1].equals("kafka") ? "Kafka" : "Flink")
          .append("\n");
      page.append(table("metric", "type", "unit", "meaning"));
      Map<String, List<Map<String, Object>>> file = new Yaml().load(text(source));
      for (Map<String, Object> rule : file.get("rules")) {
        for (Object one : ((Map<?, ?>) rule.get("mapping")).values()) {
          Map<?, ?> mapped = (Map<?, ?>) one;
          page.append(
              row(
                  code(String.valueOf(mapped.get("metric"))),
                  or(mapped.get("type"), or(rule.get("type"), "")),
                  or(mapped.get("unit"), or(rule.get("unit"), "")),
                  or(mapped.get("desc"), "")));
        }
      }
    }
    return page.toString();
  }

  private static String of(Map<String, Object> entry, String key) {
    return or(entry.get(key), "");
  }

  private static String or(Object value, String otherwise) {
    return value == null ? otherwise : value.toString();
  }

  private static String text(String path) {
    try {
      return Files.readString(REPOSITORY.resolve(path));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }
}

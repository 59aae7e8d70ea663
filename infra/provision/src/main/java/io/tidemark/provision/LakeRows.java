package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Rows of the lake's rollup tables, served over HTTP by a process of their own that ends with this
 * one. Druid's tasks read from it.
 */
class LakeRows implements AutoCloseable {
  private static final String USER = "lake-rows";

  /** The largest table is planned file by file. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final String base;
  private final String password;
  private final Process process;

  /** Files of one day and tenant bucket. */
  record Part(LocalDate day, int bucket, long rows) {}

  /**
   * What a table holds.
   *
   * @param parts in the order of their days
   * @param offsets partition of the topic and offset after the last record that the table took, as
   *     far as it says so
   */
  record Pinned(List<Part> parts, Map<Integer, Long> offsets) {}

  LakeRows(String base, String password, Process process) {
    this.base = base;
    this.password = password;
    this.process = process;
  }

  /**
   * @param host under which Druid's processes reach this machine
   */
  static LakeRows start(Addresses addresses, String host) throws IOException {
    byte[] drawn = new byte[24];
    new SecureRandom().nextBytes(drawn);
    String password = HexFormat.of().formatHex(drawn);
    ProcessBuilder builder =
        LakeProgram.command(
                addresses, "LakeRowServer", List.of("-Xmx512m"), List.of("--host", host))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("TIDEMARK_LAKE_ROWS_PASSWORD", password);
    Process process = builder.start();
    String port =
        new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
            .readLine();
    if (port == null || !port.matches("\\d+")) {
      process.destroy();
      throw ProvisionFailure.engine(
          "The lake's rows cannot be read; its catalog is at " + addresses.catalogUrl() + ".");
    }
    return new LakeRows("http://" + host + ":" + port, password, process);
  }

  /** Pins what a table holds now. */
  Pinned pin(String table) throws IOException, InterruptedException {
    JsonNode pinned = EngineClient.JSON.readTree(post("/tables/" + table + "/pin", ""));
    List<Part> parts = new ArrayList<>();
    for (JsonNode part : pinned.path("parts")) {
      parts.add(
          new Part(
              LocalDate.parse(part.path("day").asText()),
              part.path("bucket").asInt(),
              part.path("rows").asLong()));
    }
    Map<Integer, Long> offsets = new TreeMap<>();
    pinned
        .path("offsets")
        .properties()
        .forEach(
            offset -> offsets.put(Integer.valueOf(offset.getKey()), offset.getValue().asLong()));
    return new Pinned(parts, offsets);
  }

  /** Panes, of rows that a topic carries, that the pinned table holds. */
  Set<String> stored(String table, String lines) throws IOException, InterruptedException {
    return post("/tables/" + table + "/stored", lines)
        .lines()
        .filter(line -> !line.isBlank())
        .collect(Collectors.toSet());
  }

  /** Lets the lake job expire what was pinned. */
  void release(String table) throws IOException, InterruptedException {
    post("/tables/" + table + "/release", "");
  }

  /** Where Druid reads the rows of a part. */
  String uri(String table, Part part) {
    return "%s/tables/%s/rows/%s/%d".formatted(base, table, part.day(), part.bucket());
  }

  String user() {
    return USER;
  }

  String password() {
    return password;
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    String credentials =
        Base64.getEncoder()
            .encodeToString((USER + ":" + password).getBytes(StandardCharsets.UTF_8));
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Basic " + credentials)
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw ProvisionFailure.engine(
          "The lake's rows cannot be read: " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  @Override
  public void close() {
    process.destroy();
  }
}

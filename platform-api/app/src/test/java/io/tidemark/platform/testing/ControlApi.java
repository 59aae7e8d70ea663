package io.tidemark.platform.testing;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The control API as one key calls it. */
public final class ControlApi {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** An answer with its body read. */
  public record Answer(int status, JsonNode body, HttpResponse<byte[]> response) {

    /** The value of a header; empty when absent. */
    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    /** The code of a problem. */
    public String code() {
      return body.path("code").asString();
    }
  }

  private final RunningPlatform platform;
  private final String organization;
  private final String key;

  public ControlApi(RunningPlatform platform, String organization, String key) {
    this.platform = platform;
    this.organization = organization;
    this.key = key;
  }

  /** Calls a path below the organisation; headers come in pairs of name and value. */
  public Answer call(String method, String path, String body, String... headers) {
    return callAt(method, "/api/v1/organizations/" + organization + path, body, headers);
  }

  /** Calls a whole path. */
  public Answer callAt(String method, String path, String body, String... headers) {
    List<String> all = new ArrayList<>(Arrays.asList(headers));
    all.addAll(
        List.of("Authorization", TestingKeys.bearer(key), "Content-Type", "application/json"));
    HttpResponse<byte[]> response =
        Http.send(method, platform.api(path), body, all.toArray(String[]::new));
    String type = response.headers().firstValue("Content-Type").orElse("");
    return new Answer(
        response.statusCode(),
        type.endsWith("json") && !type.contains("ndjson")
            ? JSON.readTree(response.body())
            : JSON.nullNode(),
        response);
  }

  public Answer get(String path) {
    return call("GET", path, null);
  }

  public Answer post(String path, String body, String... headers) {
    return call("POST", path, body, headers);
  }
}

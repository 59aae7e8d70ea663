package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Speaks JSON over HTTP with the engines' own interfaces. */
public class EngineClient {
  public static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client;

  /** A client of engines that ask for no certificate. */
  public EngineClient() {
    this(Optional.empty());
  }

  /**
   * @param encryption what is shown to engines, and which of them are trusted
   */
  public EngineClient(Optional<SSLContext> encryption) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2));
    encryption.ifPresent(builder::sslContext);
    this.client = builder.build();
  }

  /**
   * An answer with its status; {@code body} is a missing node when the answer was empty or not
   * JSON.
   */
  public record Answer(int status, JsonNode body, String text) {
    public boolean ok() {
      return status / 100 == 2;
    }
  }

  public final Answer get(String url) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url)).GET());
  }

  public final Answer delete(String url) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url)).DELETE());
  }

  public final Answer post(String url, JsonNode body) throws IOException, InterruptedException {
    return send(posted(url, body));
  }

  /** The same, for what an engine answers only when it has done it. */
  public final Answer post(String url, JsonNode body, Duration patience)
      throws IOException, InterruptedException {
    return send(posted(url, body).timeout(patience));
  }

  private static HttpRequest.Builder posted(String url, JsonNode body) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body.toString()));
  }

  /** Uploads one file as {@code multipart/form-data}, the way Flink takes jars. */
  public final Answer upload(String url, String field, Path file, String contentType)
      throws IOException, InterruptedException {
    String boundary = "tidemark-" + Long.toHexString(Files.size(file)) + "-boundary";
    String head =
        "--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\""
            + field
            + "\"; filename=\""
            + file.getFileName()
            + "\"\r\nContent-Type: "
            + contentType
            + "\r\n\r\n";
    return send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            .timeout(Duration.ofSeconds(60))
            .POST(
                BodyPublishers.concat(
                    BodyPublishers.ofString(head),
                    BodyPublishers.ofFile(file),
                    BodyPublishers.ofString("\r\n--" + boundary + "--\r\n"))));
  }

  /** Sends a request that the methods above do not make; within 30 s if it says nothing else. */
  protected final Answer send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpRequest built = request.build();
    if (built.timeout().isEmpty()) {
      built = request.timeout(Duration.ofSeconds(30)).build();
    }
    HttpResponse<String> response = client.send(built, HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), parse(response.body()), response.body());
  }

  private static JsonNode parse(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      return node == null ? JSON.missingNode() : node;
    } catch (IOException e) {
      return JSON.missingNode();
    }
  }
}

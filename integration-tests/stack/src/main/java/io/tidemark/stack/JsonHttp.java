package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.provision.EngineClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** JSON over HTTP to the engines and, with an Authorization header, to platform-api. */
public final class JsonHttp extends EngineClient {
  /** A client of servers that ask for no certificate. */
  public JsonHttp() {
    super();
  }

  /**
   * @param encryption what is shown to servers, and which of them are trusted
   */
  public JsonHttp(Optional<SSLContext> encryption) {
    super(encryption);
  }

  /** Asks with an Authorization header. */
  public Answer get(String url, String authorization) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url)).header("Authorization", authorization).GET());
  }

  /** Posts JSON with an Authorization header. */
  public Answer post(String url, String authorization, JsonNode body)
      throws IOException, InterruptedException {
    return post(url, authorization, body, Duration.ofSeconds(30));
  }

  /**
   * The same.
   *
   * @param patience after which it is an error
   */
  public Answer post(String url, String authorization, JsonNode body, Duration patience)
      throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url))
            .timeout(patience)
            .header("Content-Type", "application/json")
            .header("Authorization", authorization)
            .POST(BodyPublishers.ofString(body.toString())));
  }
}

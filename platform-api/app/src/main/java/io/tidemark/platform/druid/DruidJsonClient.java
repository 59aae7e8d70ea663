package io.tidemark.platform.druid;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Exchanges JSON with one Druid server: broker, coordinator or overlord.
 *
 * <p>Every method throws a {@code ProblemException}: {@code store_unavailable} when the server
 * cannot be reached or no address is set, {@code store_failed} when it answers with an error.
 */
public final class DruidJsonClient {

  /** How long Druid may take for one answer. */
  public static final Duration TIMEOUT = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(DruidJsonClient.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http =
      DruidEncryption.client().connectTimeout(Duration.ofSeconds(3)).build();
  private final String server;
  private final Duration timeout;

  /**
   * A client of one server.
   *
   * @param server base URL; empty when none is configured
   */
  public DruidJsonClient(String server) {
    this(server, TIMEOUT);
  }

  /**
   * A client of one server.
   *
   * @param server base URL; empty when none is configured
   * @param timeout how long Druid may take for one answer
   */
  public DruidJsonClient(String server, Duration timeout) {
    this.timeout = timeout;
    this.server = server.replaceFirst("/+$", "");
  }

  /** Reads a document. */
  public JsonNode get(String path) {
    return exchange(request(path).GET().build(), false);
  }

  /** A missing node when there is nothing of that name. */
  public JsonNode find(String path) {
    return exchange(request(path).GET().build(), true);
  }

  /** Posts a document and reads the answer. */
  public JsonNode post(String path, Object body) {
    return exchange(posting(path, body), false);
  }

  /** As {@link #find}, with a body. */
  public JsonNode find(String path, Object body) {
    return exchange(posting(path, body), true);
  }

  private HttpRequest posting(String path, Object body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
        .build();
  }

  private HttpRequest.Builder request(String path) {
    if (server.isEmpty()) {
      throw ProblemException.passing(
          null,
          ErrorCode.STORE_UNAVAILABLE,
          "The metric store's address is not set (TIDEMARK_DRUID, TIDEMARK_DRUID_COORDINATOR).",
          RETRY_AFTER);
    }
    return HttpRequest.newBuilder(URI.create(server + path)).timeout(timeout.plusSeconds(2));
  }

  private JsonNode exchange(HttpRequest request, boolean mayBeMissing) {
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (mayBeMissing && response.statusCode() == 404) {
        return JSON.missingNode();
      }
      if (response.statusCode() / 100 != 2) {
        LOG.warn("Druid answered {} to {}", response.statusCode(), request.uri().getPath());
        throw ProblemException.of(
            ErrorCode.STORE_FAILED,
            "The metric store answered " + response.statusCode() + ". It is tried again.");
      }
      return response.body().length == 0 ? JSON.missingNode() : JSON.readTree(response.body());
    } catch (JacksonException brokenOff) {
      throw ProblemException.causedBy(
          brokenOff, ErrorCode.STORE_FAILED, "The metric store broke its answer off. Try again.");
    } catch (IOException unreachable) {
      throw unavailable(unreachable);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw unavailable(stop);
    }
  }

  private static ProblemException unavailable(Exception cause) {
    return ProblemException.passing(
        cause,
        ErrorCode.STORE_UNAVAILABLE,
        "The metric store cannot be reached now. Try again in some seconds.",
        RETRY_AFTER);
  }
}

package io.tidemark.platform.query.druid;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Exchanges with a Druid broker, and what their failures mean to a caller. */
public final class DruidHttp {

  private static final Logger LOG = LoggerFactory.getLogger(DruidHttp.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final int ERROR_BYTES = 16 * 1024;
  private static final int FULL = 429;
  private static final long PAUSE_MS = 50;

  private final HttpClient http;
  private final String broker;
  private final Duration timeout;
  private final Duration patience;
  private final JsonMapper json = JsonMapper.builder().build();

  /**
   * A broker that is asked once.
   *
   * @param broker base URL
   * @param timeout of a whole query
   */
  public DruidHttp(HttpClient http, URI broker, Duration timeout) {
    this(http, broker, timeout, Duration.ZERO);
  }

  /**
   * A broker.
   *
   * @param patience how long a query waits for a lane that is full
   */
  public DruidHttp(HttpClient http, URI broker, Duration timeout, Duration patience) {
    this.http = http;
    this.broker = broker.toString().replaceFirst("/+$", "");
    this.timeout = timeout;
    this.patience = patience;
  }

  JsonMapper json() {
    return json;
  }

  Duration timeout() {
    return timeout;
  }

  /**
   * Runs a native query, which carries its {@code queryId}; one that is given up is cancelled.
   *
   * @throws ProblemException {@code store_unavailable}, {@code store_failed}, {@code
   *     query_timed_out} or {@code query_too_expensive}
   */
  <T> T query(ObjectNode tree, Function<InputStream, T> reading) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(broker + "/druid/v2/"))
            // Druid itself should notice first and say so.
            .timeout(timeout.plusSeconds(2))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(tree)))
            .build();
    String queryId = tree.path("context").path("queryId").asString();
    return exchange(request, queryId, reading);
  }

  /** Asks for a document below the broker's URL. */
  JsonNode get(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(broker + path)).timeout(timeout).GET().build();
    return exchange(request, null, body -> json.readTree(body));
  }

  private <T> T exchange(HttpRequest request, String queryId, Function<InputStream, T> reading) {
    try {
      HttpResponse<InputStream> response = send(request);
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw failure(response.statusCode(), body);
        }
        return reading.apply(body);
      }
    } catch (HttpTimeoutException slow) {
      cancel(queryId);
      throw timedOut(slow);
    } catch (IOException unreachable) {
      throw ProblemException.passing(
          unreachable,
          ErrorCode.STORE_UNAVAILABLE,
          "The metric store cannot be reached now. Try again in some seconds.",
          RETRY_AFTER);
    } catch (JacksonException brokenOff) {
      // Druid sends 200 first; a query that fails later ends in the middle of its JSON.
      throw ProblemException.causedBy(
          brokenOff,
          ErrorCode.STORE_FAILED,
          "The metric store broke its answer off. Try again; narrow the query if it stays.");
    } catch (InterruptedException interrupted) {
      cancel(queryId);
      Thread.currentThread().interrupt();
      throw ProblemException.passing(
          interrupted,
          ErrorCode.STORE_UNAVAILABLE,
          "Tidemark is stopping. Try again in some seconds.",
          RETRY_AFTER);
    }
  }

  /** Druid refuses what finds its lane full; who asks has to wait, in a turn of {@code Turns}. */
  private HttpResponse<InputStream> send(HttpRequest request)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      if (response.statusCode() != FULL || System.nanoTime() > until) {
        return response;
      }
      response.body().close();
      Thread.sleep(PAUSE_MS);
    }
  }

  private void cancel(String queryId) {
    if (queryId != null) {
      var unused =
          http.sendAsync(
              HttpRequest.newBuilder(URI.create(broker + "/druid/v2/" + queryId))
                  .timeout(Duration.ofSeconds(5))
                  .DELETE()
                  .build(),
              HttpResponse.BodyHandlers.discarding());
    }
  }

  private ProblemException failure(int status, InputStream body) throws IOException {
    String text = new String(body.readNBytes(ERROR_BYTES), StandardCharsets.UTF_8);
    LOG.warn("Druid answered {}: {}", status, text);
    String name = nameOf(text, status);
    if (status == 504) {
      return timedOut(null);
    }
    if (name.startsWith("Resource limit exceeded")) {
      return ProblemException.of(
          ErrorCode.QUERY_TOO_EXPENSIVE,
          "The query has too many groups for the metric store. Use fewer group_by labels, or narrow"
              + " the filter or the intervals.");
    }
    if (status == FULL || status == 503) {
      return ProblemException.passing(
          null,
          ErrorCode.STORE_UNAVAILABLE,
          "The metric store is at its limit now. Try again in some seconds.",
          RETRY_AFTER);
    }
    return ProblemException.of(
        ErrorCode.STORE_FAILED, "The metric store answered with an error (" + name + ").");
  }

  /** Druid's own short name of the error; its message may tell about the inside and is logged. */
  private String nameOf(String text, int status) {
    try {
      JsonNode name = json.readTree(text).path("error");
      return name.isString() ? name.asString() : "status " + status;
    } catch (JacksonException notJson) {
      return "status " + status;
    }
  }

  private ProblemException timedOut(Throwable cause) {
    return ProblemException.causedBy(
        cause,
        ErrorCode.QUERY_TIMED_OUT,
        "The metric store did not answer within "
            + timeout.toSeconds()
            + " s. Narrow the intervals or use a coarser granularity.");
  }
}

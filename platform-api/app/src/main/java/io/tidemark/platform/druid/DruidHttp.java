package io.tidemark.platform.druid;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.SpanRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
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
  private static final int CONNECT_MS = 2_000;

  static {
    // The JDK keeps five connections, for five seconds. Here a dashboard's queries are asked at the
    // same time, and again when it is read again; Druid lets go after minutes.
    keep("http.maxConnections", 32);
    keep("http.keepAlive.time.server", 60);
  }

  private final HttpClient http;
  private final SSLSocketFactory sockets;
  private final String broker;
  private final Duration timeout;
  private final Duration patience;
  private final SpanRecorder spans;
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
    this(http, broker, timeout, patience, SpanRecorder.NONE);
  }

  /**
   * A broker.
   *
   * @param patience how long a query waits for a lane that is full
   * @param spans records what a request asks Druid for
   */
  public DruidHttp(
      HttpClient http, URI broker, Duration timeout, Duration patience, SpanRecorder spans) {
    this.spans = spans;
    this.http = http;
    this.sockets = http.sslContext().getSocketFactory();
    this.broker = broker.toString().replaceFirst("/+$", "");
    this.timeout = timeout;
    this.patience = patience;
  }

  private static void keep(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  public JsonMapper json() {
    return json;
  }

  public Duration timeout() {
    return timeout;
  }

  /** Work that another thread does for the request of this one. */
  public <T> Callable<T> carried(Callable<T> work) {
    return spans.carried(work);
  }

  /**
   * Runs a native query, which carries its {@code queryId}; one that is given up is cancelled. All
   * of it happens on the caller's thread: to hand every piece of an answer from thread to thread
   * takes longer than to read it.
   *
   * @throws ProblemException {@code store_unavailable}, {@code store_failed}, {@code
   *     query_timed_out} or {@code query_too_expensive}
   */
  public <T> T query(ObjectNode tree, Function<InputStream, T> reading) {
    String queryId = tree.path("context").path("queryId").asString();
    return spans.record(
        "druid query", "druid.query.id", queryId, () -> query(tree, queryId, reading));
  }

  private <T> T query(ObjectNode tree, String queryId, Function<InputStream, T> reading) {
    byte[] text = json.writeValueAsBytes(tree);
    try {
      HttpURLConnection connection = asked(text);
      if (connection.getResponseCode() != 200) {
        try (InputStream body = errorOf(connection)) {
          throw failure(connection.getResponseCode(), body);
        }
      }
      try (InputStream body = connection.getInputStream()) {
        return reading.apply(body);
      }
    } catch (SocketTimeoutException slow) {
      cancel(queryId);
      throw timedOut(slow);
    } catch (IOException unreachable) {
      throw unreachable(unreachable);
    } catch (JacksonException brokenOff) {
      if (brokenOff.getCause() instanceof SocketTimeoutException) {
        cancel(queryId);
        throw timedOut(brokenOff);
      }
      throw brokenOff(brokenOff);
    } catch (InterruptedException interrupted) {
      throw stopping(interrupted);
    }
  }

  /** Druid refuses what finds its lane full; who asks has to wait, in a turn of {@code Turns}. */
  private HttpURLConnection asked(byte[] text) throws IOException, InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      HttpURLConnection connection = opened();
      try (OutputStream out = connection.getOutputStream()) {
        out.write(text);
      }
      if (connection.getResponseCode() != FULL || System.nanoTime() > until) {
        return connection;
      }
      errorOf(connection).close();
      Thread.sleep(PAUSE_MS);
    }
  }

  private HttpURLConnection opened() throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create(broker + "/druid/v2/").toURL().openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection encrypted) {
      // One factory, or no connection would be used again.
      encrypted.setSSLSocketFactory(sockets);
    }
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout(CONNECT_MS);
    // Druid itself should notice first and say so.
    connection.setReadTimeout((int) timeout.plusSeconds(2).toMillis());
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty("Accept", "application/json");
    return connection;
  }

  private static InputStream errorOf(HttpURLConnection connection) {
    InputStream body = connection.getErrorStream();
    return body == null ? InputStream.nullInputStream() : body;
  }

  /** Asks for a document below the broker's URL. */
  public JsonNode get(String path) {
    return spans.record("druid read", "db.system", "druid", () -> read(path));
  }

  private JsonNode read(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(broker + path)).timeout(timeout).GET().build();
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw failure(response.statusCode(), body);
        }
        return json.readTree(body);
      }
    } catch (HttpTimeoutException slow) {
      throw timedOut(slow);
    } catch (IOException unreachable) {
      throw unreachable(unreachable);
    } catch (JacksonException brokenOff) {
      throw brokenOff(brokenOff);
    } catch (InterruptedException interrupted) {
      throw stopping(interrupted);
    }
  }

  /** Ends a query in Druid; whoever waits for its answer gets a failure. */
  public void cancel(String queryId) {
    var unused =
        http.sendAsync(
            HttpRequest.newBuilder(URI.create(broker + "/druid/v2/" + queryId))
                .timeout(Duration.ofSeconds(5))
                .DELETE()
                .build(),
            HttpResponse.BodyHandlers.discarding());
  }

  private static ProblemException unreachable(IOException cause) {
    return ProblemException.passing(
        cause,
        ErrorCode.STORE_UNAVAILABLE,
        "The metric store cannot be reached now. Try again in some seconds.",
        RETRY_AFTER);
  }

  /** Druid sends 200 first; a query that fails later ends in the middle of its JSON. */
  private static ProblemException brokenOff(JacksonException cause) {
    return ProblemException.causedBy(
        cause,
        ErrorCode.STORE_FAILED,
        "The metric store broke its answer off. Try again; narrow the query if it stays.");
  }

  private static ProblemException stopping(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return ProblemException.passing(
        cause,
        ErrorCode.STORE_UNAVAILABLE,
        "Tidemark is stopping. Try again in some seconds.",
        RETRY_AFTER);
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

  private ProblemException timedOut(@Nullable Throwable cause) {
    return ProblemException.causedBy(
        cause,
        ErrorCode.QUERY_TIMED_OUT,
        "The metric store did not answer within "
            + timeout.toSeconds()
            + " s. Narrow the intervals or use a coarser granularity.");
  }
}

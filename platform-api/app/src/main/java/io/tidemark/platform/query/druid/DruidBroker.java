package io.tidemark.platform.query.druid;

import io.tidemark.platform.query.application.RunQuery;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.QueryRow;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs plans on a Druid broker over HTTP. */
public final class DruidBroker implements RunQuery {

  private static final Logger LOG = LoggerFactory.getLogger(DruidBroker.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final int ERROR_BYTES = 16 * 1024;

  private final HttpClient http;
  private final URI address;
  private final Duration timeout;
  private final DruidQueryTree trees;
  private final DruidAnswer answers;
  private final JsonMapper json = JsonMapper.builder().build();

  /**
   * A broker.
   *
   * @param broker base URL
   * @param timeout for the whole query; Druid is told to stop then, too
   * @param greatestResult greatest number of rows of an answer
   */
  public DruidBroker(
      HttpClient http, URI broker, String datasource, Duration timeout, int greatestResult) {
    this.http = http;
    this.address = URI.create(broker.toString().replaceFirst("/+$", "") + "/druid/v2/");
    this.timeout = timeout;
    this.trees = new DruidQueryTree(datasource, timeout);
    this.answers = new DruidAnswer(json, greatestResult);
  }

  @Override
  public List<QueryRow> run(TenantId organization, MetricQuery query) {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            // Druid itself should notice first and say so.
            .timeout(timeout.plusSeconds(2))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofByteArray(
                    json.writeValueAsBytes(trees.build(organization, query))))
            .build();
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw failure(response.statusCode(), body);
        }
        return answers.read(body, query);
      }
    } catch (HttpTimeoutException slow) {
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
      Thread.currentThread().interrupt();
      throw ProblemException.passing(
          interrupted,
          ErrorCode.STORE_UNAVAILABLE,
          "Tidemark is stopping. Try again in some seconds.",
          RETRY_AFTER);
    }
  }

  private ProblemException failure(int status, InputStream body) throws IOException {
    String text = new String(body.readNBytes(ERROR_BYTES), StandardCharsets.UTF_8);
    LOG.warn("Druid answered {}: {}", status, text);
    if (status == 504) {
      return timedOut(null);
    }
    if (status == 429 || status == 503) {
      return ProblemException.passing(
          null,
          ErrorCode.STORE_UNAVAILABLE,
          "The metric store is at its limit now. Try again in some seconds.",
          RETRY_AFTER);
    }
    return ProblemException.of(
        ErrorCode.STORE_FAILED,
        "The metric store answered with an error (" + nameOf(text, status) + ").");
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

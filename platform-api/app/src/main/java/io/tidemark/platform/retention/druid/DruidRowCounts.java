package io.tidemark.platform.retention.druid;

import io.tidemark.platform.retention.Level;
import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.retention.RetentionProperties;
import io.tidemark.platform.retention.RowCountQuery;
import io.tidemark.platform.retention.StoredRowCounter;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Counts rows with a native query of the broker. */
@Component
class DruidRowCounts implements StoredRowCounter {

  private static final Logger LOG = LoggerFactory.getLogger(DruidRowCounts.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final JsonMapper json = JsonMapper.builder().build();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();
  private final RetentionProperties properties;

  DruidRowCounts(RetentionProperties properties) {
    this.properties = properties;
  }

  @Override
  public Stored count(
      TenantId organization,
      EnvironmentId environment,
      Level level,
      List<Expired> expired,
      List<Expired> expiredBefore) {
    if (expired.isEmpty()) {
      return new Stored(0, null);
    }
    JsonNode answer =
        ask(
            json.writeValueAsBytes(
                RowCountQuery.expired(
                    properties.datasources(level),
                    organization,
                    environment,
                    expired,
                    expiredBefore,
                    TIMEOUT)));
    JsonNode result = answer.path(0).path("result");
    long rows = result.path("rows").asLong(0);
    return new Stored(
        rows, rows == 0 ? null : Instant.ofEpochMilli(result.path("oldest").asLong()));
  }

  private JsonNode ask(byte[] query) {
    try {
      HttpResponse<byte[]> response =
          http.send(
              HttpRequest.newBuilder(
                      URI.create(properties.druid().replaceFirst("/+$", "") + "/druid/v2/"))
                  .timeout(TIMEOUT.plusSeconds(2))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofByteArray(query))
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        LOG.warn("Druid answered {} when rows were counted", response.statusCode());
        throw ProblemException.of(
            ErrorCode.STORE_FAILED, "The metric store could not count rows. Try again.");
      }
      return json.readTree(response.body());
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

package io.tidemark.platform.completeness.druid;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.druid.UnavailableSegments;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ProblemException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import tools.jackson.databind.JsonNode;

/**
 * Reports how Druid takes and serves rows, as metrics of the platform: for each datasource whether
 * its supervisor runs, how far it is behind, what it could not read, and what no process serves; of
 * the historicals how full the fullest is. Not a number while Druid does not say.
 */
public final class DruidHealth implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(DruidHealth.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** What is known of a datasource. */
  private record HealthSample(double healthy, double lag, double unparseable, double unavailable) {
    static final HealthSample NOTHING =
        new HealthSample(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  private final DruidHttp coordinator;
  private final UnavailableSegments unavailable;
  private volatile Map<Source, HealthSample> seen = Map.of();
  private volatile double fill = Double.NaN;
  private boolean failing;
  private @Nullable ScheduledExecutorService thread;

  /**
   * Health as a coordinator tells it.
   *
   * @param coordinator base URL of coordinator and overlord
   */
  public DruidHealth(HttpClient http, URI coordinator, MeterRegistry meters) {
    this.coordinator = new DruidHttp(http, coordinator, TIMEOUT);
    this.unavailable = new UnavailableSegments(this.coordinator::get);
    for (Source source : Source.values()) {
      gauge(
          meters,
          source,
          "supervisor.healthy",
          "1 when it runs as it should",
          HealthSample::healthy);
      gauge(meters, source, "supervisor.lag", "Records that are not taken yet", HealthSample::lag);
      gauge(
          meters, source, "rows.unparseable", "Rows that tasks refused", HealthSample::unparseable);
      gauge(
          meters, source, "segments.unavailable", "Nobody serves them", HealthSample::unavailable);
    }
    Gauge.builder("tidemark.druid.segments.fill", this, health -> health.fill)
        .description("Part of the room for segments that the fullest historical uses")
        .register(meters);
  }

  private void gauge(
      MeterRegistry meters,
      Source source,
      String name,
      String description,
      ToDoubleFunction<HealthSample> figure) {
    Gauge.builder(
            "tidemark.druid." + name,
            this,
            health -> figure.applyAsDouble(health.seen.getOrDefault(source, HealthSample.NOTHING)))
        .tag("datasource", source.datasource())
        .description(description)
        .register(meters);
  }

  @Override
  public synchronized void start() {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "druid-health"));
    var unused =
        thread.scheduleWithFixedDelay(this::look, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public synchronized void stop() {
    Objects.requireNonNull(thread).shutdownNow();
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }

  /** Asks once. */
  void look() {
    try {
      Map<Source, HealthSample> now = new EnumMap<>(Source.class);
      Map<String, Long> missing =
          unavailable.count(Arrays.stream(Source.values()).map(Source::datasource).toList());
      for (Source source : Source.values()) {
        now.put(source, look(source, missing.getOrDefault(source.datasource(), 0L)));
      }
      fill = fullest(coordinator.get("/druid/coordinator/v1/servers?simple"));
      seen = now;
      failing = false;
    } catch (ProblemException away) {
      seen = Map.of();
      fill = Double.NaN;
      if (!failing) {
        LOG.warn("Druid does not tell its health: {}", away.getMessage());
      }
      failing = true;
    }
  }

  /** Not a number while no historical is known. */
  private static double fullest(JsonNode servers) {
    double fullest = Double.NaN;
    for (JsonNode server : servers) {
      double room = server.path("maxSize").asDouble(0);
      if (server.path("type").asString("").equals("historical") && room > 0) {
        double part = server.path("currSize").asDouble(0) / room;
        fullest = Double.isNaN(fullest) ? part : Math.max(fullest, part);
      }
    }
    return fullest;
  }

  private HealthSample look(Source source, double unavailable) {
    String supervisor = "/druid/indexer/v1/supervisor/" + source.datasource();
    JsonNode status = coordinator.get(supervisor + "/status").path("payload");
    double unparseable = 0;
    for (JsonNode group : coordinator.get(supervisor + "/stats")) {
      for (JsonNode task : group) {
        unparseable += task.path("totals").path("buildSegments").path("unparseable").asDouble(0);
      }
    }
    return new HealthSample(
        status.path("healthy").asBoolean(false) ? 1 : 0,
        status.path("aggregateLag").asDouble(Double.NaN),
        unparseable,
        unavailable);
  }
}

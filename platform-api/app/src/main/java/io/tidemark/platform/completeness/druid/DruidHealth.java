package io.tidemark.platform.completeness.druid;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.druid.UnavailableSegments;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ProblemException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
  private final DatasourcePlacements placements;
  private final MeterRegistry meters;
  private final Set<String> measured = new HashSet<>();
  private volatile Map<String, HealthSample> seen = Map.of();
  private volatile double fill = Double.NaN;
  private boolean failing;
  private @Nullable ScheduledExecutorService thread;

  /**
   * Health as a coordinator tells it.
   *
   * @param coordinator base URL of coordinator and overlord
   */
  public DruidHealth(
      HttpClient http, URI coordinator, DatasourcePlacements placements, MeterRegistry meters) {
    this.placements = placements;
    this.meters = meters;
    this.coordinator = new DruidHttp(http, coordinator, TIMEOUT);
    this.unavailable = new UnavailableSegments(this.coordinator::get);
    for (Source source : Source.values()) {
      measure(source.datasource());
    }
    Gauge.builder("tidemark.druid.segments.fill", this, health -> health.fill)
        .description("Part of the room for segments that the fullest historical uses")
        .register(meters);
  }

  private void measure(String datasource) {
    if (measured.add(datasource)) {
      gauge(datasource, "supervisor.healthy", "1 when it runs as it should", HealthSample::healthy);
      gauge(datasource, "supervisor.lag", "Records that are not taken yet", HealthSample::lag);
      gauge(datasource, "rows.unparseable", "Rows that tasks refused", HealthSample::unparseable);
      gauge(datasource, "segments.unavailable", "Nobody serves them", HealthSample::unavailable);
    }
  }

  private void gauge(
      String datasource, String name, String description, ToDoubleFunction<HealthSample> figure) {
    Gauge.builder(
            "tidemark.druid." + name,
            this,
            health ->
                figure.applyAsDouble(health.seen.getOrDefault(datasource, HealthSample.NOTHING)))
        .tag("datasource", datasource)
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
      List<String> datasources =
          Arrays.stream(Source.values())
              .flatMap(source -> placements.datasources(source.datasource()).stream())
              .toList();
      Map<String, HealthSample> now = new HashMap<>();
      Map<String, Long> missing = unavailable.count(datasources);
      for (String datasource : datasources) {
        now.put(datasource, look(datasource, missing.getOrDefault(datasource, 0L)));
      }
      datasources.forEach(this::measure);
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

  private HealthSample look(String datasource, double unavailable) {
    String supervisor = "/druid/indexer/v1/supervisor/" + datasource;
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

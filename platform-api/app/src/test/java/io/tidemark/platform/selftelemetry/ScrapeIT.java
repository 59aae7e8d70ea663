package io.tidemark.platform.selftelemetry;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.platform.completeness.druid.DruidHealth;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.yaml.snakeyaml.Yaml;

/** What dashboards and alert rules of infra/observability name is what platform-api shows. */
@ExtendWith(RunningPlatform.Extension.class)
class ScrapeIT {

  private static final Path FOLDER = Path.of("../../infra/observability");
  private static final Pattern METRIC =
      Pattern.compile(
          "\\b((?:tidemark|http_server|hikaricp|jvm|process|executor|logback)_[a-z0-9_]+)"
              + "(?=[{\\[\\s)\"]|$)");

  /**
   * Doors are in plain here, and no second region is; EncryptedDoorsIT and RegionDeletionsIT see
   * them.
   */
  private static final Set<String> ELSEWHERE =
      Set.of("tidemark_tls_certificate_remaining_seconds", "tidemark_region_absence_seconds");

  /** Loops whose work processes share. */
  private static final Set<String> LOOPS =
      Set.of(
          "control-publisher",
          "notification",
          "heartbeat",
          "delivery-pruner",
          "suppression",
          "alert-pruner",
          "dead-letter-replay",
          "removals",
          "finishing-deletions",
          "reconciliation",
          "billing",
          "usage-tallies",
          "spending",
          "storage-sizes");

  private final RunningPlatform platform;

  ScrapeIT(RunningPlatform platform) {
    this.platform = platform;
  }

  /** In the way in which Prometheus names it. */
  private static String name(Map<String, String> metric) {
    String name = metric.get("metric").replace('.', '_');
    String unit =
        switch (metric.get("unit")) {
          case "s" -> "_seconds";
          case "By" -> "_bytes";
          case "{spans}" -> "_spans";
          default -> "";
        };
    return (name.endsWith(unit) ? name : name + unit)
        + (metric.get("type").equals("counter") ? "_total" : "");
  }

  /** What docs/reference lists as a metric of platform-api. */
  private static Map<String, String> listed() throws IOException {
    Map<String, List<Map<String, String>>> file =
        new Yaml().load(Files.readString(FOLDER.resolve("own-metrics.yaml")));
    Map<String, String> types = new TreeMap<>();
    for (Map<String, String> metric : file.get("metrics")) {
      types.put(name(metric), metric.get("type"));
    }
    return types;
  }

  private String scraped() throws IOException {
    return Http.text(
        Http.get(
            URI.create(
                "http://127.0.0.1:" + platform.bean(ScrapeServer.class).port() + "/metrics")));
  }

  private static Map<String, Double> byLoop(String scraped, String metric) {
    Map<String, Double> shown = new TreeMap<>();
    Matcher line =
        Pattern.compile("(?m)^" + metric + "\\{loop=\"([^\"]+)\"} (\\S+)$").matcher(scraped);
    while (line.find()) {
      shown.put(line.group(1), Double.valueOf(line.group(2)));
    }
    return shown;
  }

  /** What runs often in tests goes on; all others have the time of their start. */
  @Test
  void everyLoopShowsWhenItLastSucceeded() throws Exception {
    String before = scraped();
    assertThat(byLoop(before, "tidemark_loop_period_seconds")).containsOnlyKeys(LOOPS);
    Map<String, Double> first = byLoop(before, "tidemark_loop_last_success_timestamp_seconds");
    assertThat(first).containsOnlyKeys(LOOPS);
    double now = platform.bean(Clock.class).millis() / 1000.0;
    assertThat(first.values()).allSatisfy(time -> assertThat(time).isBetween(1e9, now));
    for (String often : List.of("control-publisher", "notification", "heartbeat", "suppression")) {
      Instant until = platform.bean(Clock.class).instant().plusSeconds(20);
      while (byLoop(scraped(), "tidemark_loop_last_success_timestamp_seconds").get(often)
          <= first.get(often)) {
        assertThat(platform.bean(Clock.class).instant()).as(often).isBefore(until);
      }
    }
  }

  @Test
  void everyMetricThatIsWatchedIsThere() throws IOException {
    Http.post(
        platform.otlp("/v1/metrics"),
        request(counter("orders", point(platform.bean(Clock.class).instant(), 1))).toByteArray(),
        "Content-Type",
        "application/x-protobuf",
        "Authorization",
        TestingKeys.basic(RunningPlatform.EXTRA_KEY));
    Http.get(platform.api("/livez"));
    String shown = scraped();
    assertThat(shown)
        .containsPattern(
            "(?m)^tidemark_build_info\\{instance=\"[^\"]+:0\",version=\"[0-9][^\"]*\"} 1(\\.0)?$");
    // Druid is a double here, which nobody watches.
    PrometheusMeterRegistry ofDruid = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new DruidHealth(
        HttpClient.newHttpClient(), URI.create("http://druid"), DatasourcePlacements.NONE, ofDruid);
    String all = shown + ofDruid.scrape();
    Set<String> watched = new LinkedHashSet<>();
    try (Stream<Path> dashboards = Files.list(FOLDER.resolve("dashboards"))) {
      for (Path file :
          Stream.concat(Stream.of(FOLDER.resolve("alerts.yaml")), dashboards).toList()) {
        Matcher found = METRIC.matcher(Files.readString(file));
        while (found.find()) {
          watched.add(found.group(1));
        }
      }
    }
    assertThat(watched).hasSizeGreaterThan(20).containsAll(ELSEWHERE);
    watched.removeAll(ELSEWHERE);
    assertThat(watched)
        .allSatisfy(metric -> assertThat(all).containsPattern("(?m)^" + metric + "[ {]"));
    Map<String, String> listed = listed();
    assertThat(listed).containsKeys(ELSEWHERE.toArray(String[]::new));
    listed.keySet().removeAll(ELSEWHERE);
    listed.remove("tidemark_traces_spans_total");
    Map<String, String> own = new TreeMap<>();
    Matcher names = Pattern.compile("(?m)^# TYPE (tidemark_\\S+) (\\S+)$").matcher(all);
    while (names.find()) {
      own.put(names.group(1), names.group(2));
    }
    own.remove("tidemark_build_info");
    assertThat(own).isEqualTo(listed);
  }
}

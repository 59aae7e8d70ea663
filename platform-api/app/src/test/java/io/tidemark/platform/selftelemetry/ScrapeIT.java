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
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What dashboards and alert rules of infra/observability name is what platform-api shows. */
@ExtendWith(RunningPlatform.Extension.class)
class ScrapeIT {

  private static final Path FOLDER = Path.of("../../infra/observability");
  private static final Pattern METRIC =
      Pattern.compile(
          "\\b((?:tidemark|http_server|hikaricp|jvm|process|executor|logback)_[a-z0-9_]+)"
              + "(?=[{\\[\\s)\"]|$)");

  /** Doors are in plain here; EncryptedDoorsIT sees it. */
  private static final String WITH_TLS_ONLY = "tidemark_tls_certificate_remaining_seconds";

  private final RunningPlatform platform;

  ScrapeIT(RunningPlatform platform) {
    this.platform = platform;
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
    String shown =
        Http.text(
            Http.get(
                URI.create(
                    "http://127.0.0.1:" + platform.bean(ScrapeServer.class).port() + "/metrics")));
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
    assertThat(watched).hasSizeGreaterThan(20).contains(WITH_TLS_ONLY);
    watched.remove(WITH_TLS_ONLY);
    assertThat(watched)
        .allSatisfy(metric -> assertThat(all).containsPattern("(?m)^" + metric + "[ {]"));
  }
}

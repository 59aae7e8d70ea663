package io.tidemark.platform.selftelemetry;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What dashboards and alert rules of infra/observability name is what platform-api shows. */
@ExtendWith(RunningPlatform.Extension.class)
class ScrapeIT {

  private static final Path FOLDER = Path.of("../../infra/observability");
  private static final Pattern METRIC =
      Pattern.compile(
          "\\b((?:tidemark|http_server|hikaricp|jvm|process|executor)_[a-z0-9_]+)(?=[{\\[\\s)\"]|$)");

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
    Set<String> watched = new LinkedHashSet<>();
    for (String file : new String[] {"alerts.yaml", "dashboards/platform-api.json"}) {
      Matcher found = METRIC.matcher(Files.readString(FOLDER.resolve(file)));
      while (found.find()) {
        watched.add(found.group(1));
      }
    }
    assertThat(watched).hasSizeGreaterThan(8);
    assertThat(watched)
        .allSatisfy(metric -> assertThat(shown).containsPattern("(?m)^" + metric + "[ {]"));
  }
}

package io.tidemark.platform.completeness.druid;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.metricstore.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Druid's health as metrics of the platform, before a coordinator that answers as told. */
class DruidHealthTest {

  private static final String SUPERVISOR = "/druid/indexer/v1/supervisor/";

  private final Map<String, String> answers = new TreeMap<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private HttpServer server;
  private DruidHealth health;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer = answers.get(exchange.getRequestURI().getPath());
          byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer == null ? 500 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    health =
        new DruidHealth(
            HttpClient.newHttpClient(),
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
            DatasourcePlacements.NONE,
            meters);
    answers.put("/druid/coordinator/v1/loadstatus", "{\"rollup_1m\":0,\"rollup_1h\":3}");
    answers.put("/druid/coordinator/v1/datasources/rollup_1h/loadstatus", "{\"rollup_1h\":3}");
    answers.put("/druid/coordinator/v1/servers", "[]");
    for (Source source : Source.values()) {
      supervisor(source, true, 0);
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void supervisor(Source source, boolean isHealthy, int lag) {
    answers.put(
        SUPERVISOR + source.datasource() + "/status",
        "{\"payload\":{\"healthy\":" + isHealthy + ",\"aggregateLag\":" + lag + "}}");
    answers.put(SUPERVISOR + source.datasource() + "/stats", "{}");
  }

  private double figure(String name, Source source) {
    Gauge gauge =
        meters.get("tidemark.druid." + name).tag("datasource", source.datasource()).gauge();
    return gauge.value();
  }

  @Test
  void everyDatasourceTellsItsSupervisorItsLagAndWhatIsNotServed() {
    supervisor(Source.HOURS, false, 42);
    answers.put(
        SUPERVISOR + "rollup_1m_hc/stats",
        """
        {"0":{"task-a":{"totals":{"buildSegments":{"processed":10,"unparseable":2}}},
              "task-b":{"totals":{"buildSegments":{"unparseable":1}}}},
         "1":{"task-c":{"totals":{"buildSegments":{"unparseable":4}}}}}
        """);
    health.look();
    assertThat(figure("supervisor.healthy", Source.MINUTES)).isOne();
    assertThat(figure("supervisor.healthy", Source.HOURS)).isZero();
    assertThat(figure("supervisor.lag", Source.HOURS)).isEqualTo(42);
    assertThat(figure("supervisor.lag", Source.DAYS)).isZero();
    assertThat(figure("rows.unparseable", Source.MINUTES_IN_DETAIL)).isEqualTo(7);
    assertThat(figure("rows.unparseable", Source.MINUTES)).isZero();
    assertThat(figure("segments.unavailable", Source.HOURS)).isEqualTo(3);
    assertThat(figure("segments.unavailable", Source.MINUTES)).isZero();
  }

  @Test
  void theFullestHistoricalIsTold() {
    assertThat(meters.get("tidemark.druid.segments.fill").gauge().value()).isNaN();
    answers.put(
        "/druid/coordinator/v1/servers",
        """
        [{"host":"a:8083","type":"historical","currSize":40,"maxSize":100},
         {"host":"b:8083","type":"historical","currSize":90,"maxSize":100},
         {"host":"c:8091","type":"indexer-executor","currSize":5,"maxSize":0}]
        """);
    health.look();
    assertThat(meters.get("tidemark.druid.segments.fill").gauge().value()).isEqualTo(0.9);
    answers.clear();
    health.look();
    assertThat(meters.get("tidemark.druid.segments.fill").gauge().value()).isNaN();
  }

  @Test
  void whatDruidDoesNotSayIsNotANumber() {
    assertThat(figure("supervisor.healthy", Source.MINUTES)).isNaN();
    health.look();
    assertThat(figure("supervisor.healthy", Source.MINUTES)).isOne();
    answers.put(SUPERVISOR + "rollup_1m/status", "{\"payload\":{\"healthy\":true}}");
    health.look();
    assertThat(figure("supervisor.lag", Source.MINUTES)).isNaN();
    answers.clear();
    health.look();
    for (Source source : Source.values()) {
      assertThat(figure("supervisor.healthy", source)).isNaN();
      assertThat(figure("segments.unavailable", source)).isNaN();
    }
  }
}

package io.tidemark.pipeline.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackIdentity.Credentials;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Public clients, and an example for each operation of the contracts, read what was sent. */
@ExtendWith(RunningStack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiClientsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(150);
  private static final Pattern OPERATION = Pattern.compile("operationId: (\\w+)");
  private static final Pattern OF_METRICS = Pattern.compile("metrics-api|prometheus-api");
  private static final long[] A = {5, 7, 0, 2};
  private static final long[] B = {11, 13, 17, 19};

  private final RunningStack.Started stack = RunningStack.get();
  private final String api = stack.coordinates().get("TIDEMARK_URL");
  private final Instant begin =
      Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(30, ChronoUnit.MINUTES);
  private final Path root;

  ApiClientsIT() throws IOException {
    root = Path.of(System.getProperty("tidemark.root")).toRealPath();
  }

  @BeforeAll
  void sendAndWait() throws Exception {
    List<Point> points = new ArrayList<>();
    for (int minute = 0; minute < 4; minute++) {
      Instant time = begin.plus(minute, ChronoUnit.MINUTES).plusSeconds(20);
      points.add(new Point("clients.requests_total", Map.of("route", "/a"), time, A[minute]));
      points.add(new Point("clients.requests_total", Map.of("route", "/b"), time, B[minute]));
    }
    ExportMetricsServiceRequest.Builder batch = OtlpSender.batch("unused", points).toBuilder();
    batch.getResourceMetricsBuilder(0).setResource(OtlpSender.resource("kafka", "lkc-clients"));
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-ledger"));
    assertThat(sender.send(batch.build().toByteArray()).statusCode()).isEqualTo(200);
    Await.until(
        "series of both routes",
        PATIENCE,
        () ->
            get(
                "/prometheus/api/v1/label/route/values?match%5B%5D=clients_requests_total",
                "org-ledger"),
        answer -> answer.contains("[\"/a\",\"/b\"]"));
    Await.until(
        "all that was sent",
        PATIENCE,
        () ->
            get(
                "/prometheus/api/v1/query?query=sum(increase(clients_requests_total%5B1h%5D))",
                "org-ledger"),
        answer -> answer.contains("\"74\"]"));
    Await.until(
        "a descriptor",
        PATIENCE,
        () -> get("/v2/metrics/cloud/descriptors/metrics?resource_type=kafka", "org-ledger"),
        answer -> answer.contains("clients.requests_total"));
    Await.until(
        "an export",
        PATIENCE,
        () -> get("/v2/metrics/cloud/export?resource.kafka.id=lkc-clients", "org-ledger"),
        answer -> answer.contains("access_error"));
  }

  @Test
  void publicClientsReadWhatWasSent() throws Exception {
    String told = run(root.resolve("integration-tests/clients"), "go", "test", "-count=1", "./...");
    assertThat(told).contains("ok").doesNotContain("no test files");
  }

  @Test
  void everyOperationHasAnExampleThatWorks() throws Exception {
    Path examples = root.resolve("integration-tests/clients/examples");
    TreeSet<String> operations = new TreeSet<>();
    try (var contracts = Files.list(root.resolve("platform-api/contracts/openapi"))) {
      for (Path contract : contracts.toList()) {
        if (OF_METRICS.matcher(contract.getFileName().toString()).find()) {
          Matcher operation = OPERATION.matcher(Files.readString(contract));
          while (operation.find()) {
            operations.add(operation.group(1));
          }
        }
      }
    }
    assertThat(operations).hasSizeGreaterThan(15);
    for (String operation : operations) {
      String told = run(examples, "sh", operation + ".sh");
      assertThat(told).as(operation).contains(expected(operation));
    }
  }

  private static String expected(String operation) {
    return switch (operation) {
      case "queryMetrics" -> "\"metric.route\":\"/b\",\"value\":19.0";
      case "estimateQuery" -> "\"allowed\":true";
      case "queryAttributes" -> "{\"metric.route\":\"/a\"},{\"metric.route\":\"/b\"}";
      case "listMetricDescriptors" -> "\"name\":\"clients.requests_total\"";
      case "listResourceDescriptors" -> "\"kafka.id\"";
      case "exportMetrics" -> "resource_id=\"lkc-clients\",resource_type=\"kafka\"} 0.0";
      case "discoverTargets" -> "lkc-clients";
      case "queryInstant", "queryInstantByForm" -> "\"60\"]";
      case "queryRange", "queryRangeByForm" -> "\"resultType\":\"matrix\",\"result\":[{";
      case "listLabelNames", "listLabelNamesByForm" -> "\"kafka_id\",\"route\"";
      case "listLabelValues" -> "[\"/a\",\"/b\"]";
      case "listSeries", "listSeriesByForm" -> "\"route\":\"/b\"";
      case "listMetricMetadata" -> "\"type\":\"counter\"";
      case "describeBuild" -> "\"version\":";
      case "describeServer" -> "/prometheus/api/v1/";
      case "listRules" -> "\"groups\":[";
      case "listAlerts" -> "\"alerts\":[";
      case "queryExemplars", "queryExemplarsByForm" -> "\"data\":[]";
      case "formatQuery", "formatQueryByForm" ->
          "sum by (route) (increase(clients_requests_total[1h]))";
      case "describeConfiguration" -> "\"yaml\":";
      case "describeFlags" -> "\"query.lookback-delta\":\"5m\"";
      case "describeRuntime" -> "\"serverTime\":";
      default -> throw new AssertionError("What does the example of " + operation + " print?");
    };
  }

  @Test
  void anotherOrganisationSeesNothingOfIt() throws Exception {
    for (String path :
        List.of(
            "label/route/values",
            "label/kafka_id/values",
            "label/environment_id/values",
            "label/organization_id/values",
            "label/__name__/values",
            "labels?match%5B%5D=clients_requests_total",
            "series?match%5B%5D=%7B__name__%3D~%22.%2B%22%7D",
            "query?query=clients_requests_total",
            "query?query=sum(increase(clients_requests_total%7Benvironment_id%3D%22env-ledger%22%7D%5B1h%5D))",
            "query?query=count(%7B%22clients.requests_total%22%7D)",
            "metadata")) {
      assertThat(get("/prometheus/api/v1/" + path, "org-late"))
          .as(path)
          .contains("\"status\":\"success\"")
          .doesNotContain("clients_requests", "lkc-clients", "env-ledger", "env-other", "\"/a\"");
    }
  }

  private String get(String path, String organization) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(api + path))
                .timeout(Duration.ofSeconds(40))
                .header("Authorization", stack.authorization(organization))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private String run(Path folder, String... command) throws IOException, InterruptedException {
    String key = stack.keys().get("org-ledger");
    Credentials credentials = StackIdentity.credentials(key);
    File told = Files.createTempFile("client", ".txt").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(told);
    builder
        .environment()
        .putAll(
            Map.of(
                "TIDEMARK_URL", api,
                "TIDEMARK_KEY", key,
                "TIDEMARK_KEY_ID", credentials.id(),
                "TIDEMARK_KEY_SECRET", credentials.secret(),
                "CLIENTS_BEGIN", begin.toString()));
    Process process = builder.start();
    boolean isOver = process.waitFor(5, TimeUnit.MINUTES);
    process.destroy();
    String text = Files.readString(told.toPath(), StandardCharsets.UTF_8);
    Files.delete(told.toPath());
    assertThat(isOver).as(String.join(" ", command) + "\n" + text).isTrue();
    assertThat(process.exitValue()).as(String.join(" ", command) + "\n" + text).isZero();
    return text;
  }
}

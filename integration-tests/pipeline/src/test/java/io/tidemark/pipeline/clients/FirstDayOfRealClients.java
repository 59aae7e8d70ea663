package io.tidemark.pipeline.clients;

import io.tidemark.pipeline.clients.CollectorSender.EnvironmentRef;
import io.tidemark.pipeline.support.Sender;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first day with clients that take long to build: telemetrygen, Prometheus and a Collector
 * beside the Python SDK and Kafka's producer. Run by {@code make test-clients}; the properties
 * {@code telemetrygen}, {@code prometheus} and {@code collector} are their binaries.
 */
class FirstDayOfRealClients extends FirstDay {

  @TempDir private Path folder;

  @Override
  List<Sender> senders(String organization, String environment, String key) throws Exception {
    return List.of(
        new TelemetrygenSender(
            Path.of(System.getProperty("telemetrygen")),
            stack.coordinates().get("TIDEMARK_OTLP_GRPC"),
            key),
        new PythonSender(stack, key),
        new PrometheusSender(
            Path.of(System.getProperty("prometheus")),
            folder,
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"),
            key),
        new CollectorSender(
            Path.of(System.getProperty("collector")),
            folder,
            stack.coordinates().get("TIDEMARK_KAFKA_DOOR"),
            new EnvironmentRef(organization, environment),
            key),
        new KafkaSender(
            stack.coordinates().get("TIDEMARK_KAFKA_DOOR"), organization, environment, key));
  }
}

package io.tidemark.platform.console;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where senders reach this installation from outside, past whatever stands before it.
 *
 * @param otlpHttpUrl metrics by OTLP over HTTP
 * @param otlpGrpcAddress {@code host:port} of OTLP over gRPC
 * @param remoteWriteUrl Prometheus remote write
 * @param kafkaBootstrap {@code host:port} of the listener for Kafka producers
 */
@ConfigurationProperties("tidemark.endpoints")
public record EndpointSettings(
    @DefaultValue("http://localhost:4318/v1/metrics") String otlpHttpUrl,
    @DefaultValue("localhost:4317") String otlpGrpcAddress,
    @DefaultValue("http://localhost:4318/api/v1/write") String remoteWriteUrl,
    @DefaultValue("localhost:9092") String kafkaBootstrap)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    checkUrl("TIDEMARK_PUBLIC_OTLP_HTTP_URL", otlpHttpUrl, faults);
    checkUrl("TIDEMARK_PUBLIC_REMOTE_WRITE_URL", remoteWriteUrl, faults);
    checkAddress("TIDEMARK_PUBLIC_OTLP_GRPC_ADDRESS", otlpGrpcAddress, faults);
    checkAddress("TIDEMARK_PUBLIC_KAFKA_BOOTSTRAP", kafkaBootstrap, faults);
    return faults;
  }

  private static void checkUrl(String setting, String url, List<String> faults) {
    if (!url.matches("https?://[^\\s'\"$`\\\\]+")) {
      faults.add(setting + " must be an http or https URL");
    }
  }

  private static void checkAddress(String setting, String address, List<String> faults) {
    if (!address.matches("[^\\s'\"$`\\\\/]+:\\d{1,5}")) {
      faults.add(setting + " must be host:port");
    }
  }
}

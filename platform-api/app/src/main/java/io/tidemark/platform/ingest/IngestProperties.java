package io.tidemark.platform.ingest;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the gateway.
 *
 * @param kafka bootstrap servers, comma-separated {@code host:port}
 * @param pointsTopic topic of accepted batches
 * @param address address both OTLP ports listen on; blank for every address of the machine
 * @param httpPort port of OTLP/HTTP; 0 takes a free one
 * @param grpcPort port of OTLP/gRPC; 0 takes a free one
 * @param maxBody limit of a decompressed request body
 * @param maxInFlight limit of all bodies held at a time
 */
@ConfigurationProperties("tidemark.ingest")
public record IngestProperties(
    String kafka,
    @DefaultValue("telemetry.points.v1") String pointsTopic,
    @DefaultValue("") String address,
    @DefaultValue("4318") int httpPort,
    @DefaultValue("4317") int grpcPort,
    @DefaultValue("16MB") DataSize maxBody,
    @DefaultValue("32MB") DataSize maxInFlight)
    implements ValidatedSettings {

  /** A record of the topic must hold the greatest body and its headers. */
  static final DataSize MAX_RECORD = DataSize.ofMegabytes(17);

  /**
   * Bytes in flight that one tenant may have: five eighths, so that others always find room; the
   * largest body fits at least once.
   */
  long inFlightOfTenant() {
    return Math.max(maxBody.toBytes(), maxInFlight.toBytes() / 8 * 5);
  }

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (kafka == null || !kafka.matches("[^\\s:,]+:\\d{1,5}(,[^\\s:,]+:\\d{1,5})*")) {
      faults.add("TIDEMARK_KAFKA must be set to bootstrap servers, host:port separated by commas");
    }
    checkPort("TIDEMARK_OTLP_HTTP_PORT", httpPort, faults);
    checkPort("TIDEMARK_OTLP_GRPC_PORT", grpcPort, faults);
    if (httpPort != 0 && httpPort == grpcPort) {
      faults.add("TIDEMARK_OTLP_HTTP_PORT and TIDEMARK_OTLP_GRPC_PORT must differ");
    }
    if (maxBody.toBytes() < 1 || maxBody.toMegabytes() > 16) {
      faults.add("tidemark.ingest.max-body must be 1B to 16MB; a record of the topic is 17 MiB");
    }
    if (maxInFlight.compareTo(maxBody) < 0) {
      faults.add("tidemark.ingest.max-in-flight must be at least max-body");
    }
    return faults;
  }

  private static void checkPort(String setting, int port, List<String> faults) {
    if (port < 0 || port > 65535) {
      faults.add(setting + " must be 1 to 65535");
    }
  }
}

package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the door of Kafka producers.
 *
 * @param address it listens on; blank for every address of the machine
 * @param port 0 takes a free one
 * @param advertised {@code host:port} that producers are told to connect to; blank for the address
 *     and port at which they are connected
 * @param connections at a time; further ones are closed
 */
@ConfigurationProperties("tidemark.ingest.kafka-door")
public record KafkaListenerProperties(
    @DefaultValue("") String address,
    @DefaultValue("9092") int port,
    @DefaultValue("") String advertised,
    @DefaultValue("200") int connections)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (port < 0 || port > 65535) {
      faults.add("TIDEMARK_KAFKA_DOOR_PORT must be 1 to 65535");
    }
    if (!advertised.isBlank() && !advertised.matches("[^\\s:,]+:\\d{1,5}")) {
      faults.add("TIDEMARK_KAFKA_DOOR_ADVERTISED must be host:port");
    }
    if (connections < 1 || connections > 10_000) {
      faults.add("tidemark.ingest.kafka-door.connections must be 1 to 10000");
    }
    return faults;
  }
}

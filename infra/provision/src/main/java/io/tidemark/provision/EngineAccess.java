package io.tidemark.provision;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.net.ssl.SSLContext;

/**
 * What engines have to be shown before they let anybody in; nothing where they ask for nothing.
 *
 * @param kafkaClient client settings of provisioning's own connections to Kafka, as Kafka names
 *     them
 * @param hasUsers whether the broker knows users, whose rights {@code infra/kafka/users.yaml} names
 * @param jobClients folder, as the cluster sees it, with client settings of each job: {@code
 *     <job>.properties}
 * @param druidClient file with the client settings of Druid's tasks, in JSON
 * @param certificate provisioning's own, which Druid and Flink ask for, and whom it trusts
 */
public record EngineAccess(
    Optional<Path> kafkaClient,
    boolean hasUsers,
    Optional<String> jobClients,
    Optional<Path> druidClient,
    Optional<ClientCertificate> certificate) {

  /** Engines that let everybody in: they are on loopback, or in a network of their own. */
  public static final EngineAccess OPEN =
      new EngineAccess(
          Optional.empty(), false, Optional.empty(), Optional.empty(), Optional.empty());

  static final String KAFKA_CLIENT = "TIDEMARK_KAFKA_CLIENT";
  static final String KAFKA_USERS = "TIDEMARK_KAFKA_USERS";
  static final String JOB_CLIENTS = "TIDEMARK_KAFKA_JOB_CLIENTS";
  static final String DRUID_CLIENT = "TIDEMARK_DRUID_KAFKA_CLIENT";
  static final String CERTIFICATE = "TIDEMARK_ENGINE_CERTIFICATE";
  static final String PRIVATE_KEY = "TIDEMARK_ENGINE_PRIVATE_KEY";
  static final String TRUSTED = "TIDEMARK_ENGINE_TRUSTED";

  static EngineAccess fromEnvironment(Map<String, String> environment) {
    List<String> certificate =
        List.of(CERTIFICATE, PRIVATE_KEY, TRUSTED).stream()
            .filter(name -> value(environment, name).isPresent())
            .toList();
    if (certificate.size() == 1 || certificate.size() == 2) {
      throw ProvisionFailure.input(
          "%s, %s and %s belong together; only %s is set."
              .formatted(CERTIFICATE, PRIVATE_KEY, TRUSTED, String.join(" and ", certificate)));
    }
    return new EngineAccess(
        value(environment, KAFKA_CLIENT).map(Path::of),
        value(environment, KAFKA_USERS).map(Boolean::parseBoolean).orElse(false),
        value(environment, JOB_CLIENTS),
        value(environment, DRUID_CLIENT).map(Path::of),
        certificate.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ClientCertificate(
                    Path.of(environment.get(CERTIFICATE)),
                    Path.of(environment.get(PRIVATE_KEY)),
                    Path.of(environment.get(TRUSTED)))));
  }

  private static Optional<String> value(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isBlank());
  }

  /** Settings of a client of Kafka, read anew each time: passwords change. */
  public Map<String, Object> kafka(String bootstrapServers) {
    Map<String, Object> settings = new HashMap<>();
    kafkaClient.ifPresent(
        file -> {
          Properties properties = new Properties();
          try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
          } catch (IOException e) {
            throw unreadable(KAFKA_CLIENT, file, e);
          }
          properties.stringPropertyNames().forEach(n -> settings.put(n, properties.getProperty(n)));
        });
    settings.put("bootstrap.servers", bootstrapServers);
    return settings;
  }

  /** What Druid's consumers have to show to Kafka. */
  Optional<ObjectNode> druidConsumer() {
    return druidClient.map(
        file -> {
          try {
            return (ObjectNode) EngineClient.JSON.readTree(Files.readString(file));
          } catch (IOException | ClassCastException e) {
            throw unreadable(DRUID_CLIENT, file, e);
          }
        });
  }

  /** A client of Druid and Flink. */
  EngineClient http() {
    return new EngineClient(certificate.map(ClientCertificate::context));
  }

  /** As {@link #http}, for clients that others make. */
  public Optional<SSLContext> encryption() {
    return certificate.map(ClientCertificate::context);
  }

  private static ProvisionFailure unreadable(String variable, Path file, Exception cause) {
    return ProvisionFailure.input(
        "%s names %s, which cannot be read: %s."
            .formatted(variable, file, ProvisionFailure.reason(cause)));
  }
}

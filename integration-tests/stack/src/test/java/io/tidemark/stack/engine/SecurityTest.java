package io.tidemark.stack.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityTest {
  @TempDir private Path root;

  private Security security(String wanted) {
    return new Security(
        settings(wanted),
        StackIdentity.loadOrDraw(root.resolve("secrets.env"), new SecureRandom()));
  }

  private StackSettings settings(String wanted) {
    return StackSettings.fromEnvironment(
        root, Map.of("TIDEMARK_SECURITY", wanted, "TIDEMARK_LINKS", "proxied"));
  }

  /** A client that comes by a link is asked for its password as any other. */
  @Test
  void everyListenerOfTheBrokerAsksForPasswords() {
    Properties broker = security("tls").kafka(Kafka.listeners(settings("tls")));
    assertThat(broker.getProperty("listener.security.protocol.map"))
        .isEqualTo(
            "CONTROLLER:SSL,BROKER:SASL_SSL,PLATFORM_KAFKA:SASL_SSL,FLINK_KAFKA:SASL_SSL,DRUID_KAFKA:SASL_SSL");
    for (String name : new String[] {"broker", "platform_kafka", "flink_kafka", "druid_kafka"}) {
      assertThat(broker.getProperty("listener.name." + name + ".plain.sasl.jaas.config"))
          .as(name)
          .contains("user_rollup=");
    }
  }

  @Test
  void doorsAreEncryptedWithTheEngines() {
    Security encrypted = security("tls");
    assertThat(encrypted.url("platform-api")).isEqualTo("https://127.0.0.1:8080");
    assertThat(encrypted.doors())
        .containsOnlyKeys("TIDEMARK_TLS_CERTIFICATE", "TIDEMARK_TLS_PRIVATE_KEY");
    assertThat(encrypted.telemetryEnvironment())
        .containsEntry(
            "OTEL_EXPORTER_OTLP_CERTIFICATE",
            encrypted.certificates().authority("doors").toString());

    Security open = security("none");
    assertThat(open.url("platform-api")).isEqualTo("http://127.0.0.1:8080");
    assertThat(open.doors()).isEmpty();
    assertThat(open.telemetryEnvironment()).isEmpty();
  }
}

package io.tidemark.platform.ingest.kafka.listener;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.RunningPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Producers that are not Kafka's own: what they acknowledge is what arrived. Fetches Go modules and
 * Python packages; run by {@code make test-clients}.
 */
@ExtendWith(RunningPlatform.Extension.class)
class KafkaClients {

  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Path PRODUCERS = ROOT.resolve("integration-tests/kafka-clients");
  private static final int RECORDS = 5;

  private final RunningPlatform platform;
  private final byte[] batch;

  KafkaClients(RunningPlatform platform) {
    this.platform = platform;
    this.batch =
        request(counter("orders", point(platform.bean(Clock.class).instant(), 1))).toByteArray();
  }

  @BeforeEach
  void nothingHasArrived() {
    platform.topic().reset();
  }

  /** franz-go by default and with five compressions, sarama with five. */
  @Test
  void producersOfGoAreTaken() throws Exception {
    String told = run("go", "test", "-count=1", "-v", "./...");
    assertThat(told).doesNotContain("--- SKIP");
    everyRecordArrived(11);
  }

  /** librdkafka by default, idempotent and with five compressions, kafka-python with two. */
  @Test
  void producersOfPythonAreTaken() throws Exception {
    String python =
        run(
                ROOT.resolve("integration-tests/lake/prepare.sh").toString(),
                ROOT.resolve(".tidemark/python/kafka-clients").toString(),
                PRODUCERS.resolve("requirements.txt").toString())
            .strip();
    run(python.substring(python.lastIndexOf('\n') + 1), "produce.py");
    everyRecordArrived(9);
  }

  private void everyRecordArrived(int producers) {
    assertThat(platform.topic().batches())
        .hasSize(producers * RECORDS)
        .allSatisfy(
            stored -> {
              assertThat(stored.organization()).isEqualTo(new TenantId("org-extra"));
              assertThat(stored.record()).isEqualTo(batch);
            });
  }

  private String run(String... command) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "kafka-clients").toAbsolutePath());
    Path told = folder.resolve("told.txt");
    String[] key = RunningPlatform.EXTRA_KEY.split("_", -1);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(PRODUCERS.toFile())
            .redirectErrorStream(true)
            .redirectOutput(told.toFile());
    builder
        .environment()
        .put("KAFKA_LISTENER", "127.0.0.1:" + platform.bean(KafkaListenerServer.class).port());
    builder.environment().put("KAFKA_KEY", key[2]);
    builder.environment().put("KAFKA_SECRET", key[3]);
    builder.environment().put("KAFKA_TOPIC", "otlp.metrics.org-extra.env-extra");
    builder
        .environment()
        .put("KAFKA_BATCH", Files.write(folder.resolve("batch.pb"), batch).toString());
    Process process = builder.start();
    boolean isOver = process.waitFor(5, TimeUnit.MINUTES);
    process.destroy();
    String text = Files.readString(told);
    assertThat(isOver).as(text).isTrue();
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }
}

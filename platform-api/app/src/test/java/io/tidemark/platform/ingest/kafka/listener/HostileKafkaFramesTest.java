package io.tidemark.platform.ingest.kafka.listener;

import static io.tidemark.platform.ingest.kafka.listener.TestingKafkaConnection.frame;
import static io.tidemark.platform.ingest.kafka.listener.TestingKafkaConnection.unsignedVarint;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small frames that are dear to decode are refused before they are decoded. */
class HostileKafkaFramesTest {

  private static final String KEY = TestingKeys.key("env-a", 'A');
  private static final Duration SOON = Duration.ofSeconds(2);

  private final TestingKafkaListener listener = new TestingKafkaListener();

  @BeforeEach
  void open() {
    listener.start();
  }

  @AfterEach
  void close() {
    listener.stop();
  }

  /** Twelve kilobytes that kept a core busy for a minute. */
  @Test
  void aProduceRequestOfManyTopicsIsRefusedAtOnce() throws Exception {
    assertThat(
            time(
                frame(
                    0,
                    9,
                    true,
                    body -> {
                      body.writeByte(0); // no transactional id
                      body.writeShort(1);
                      body.writeInt(1_000);
                      unsignedVarint(body, 4_001);
                      for (int topic = 0; topic < 4_000; topic++) {
                        body.writeByte(1); // an empty name
                        body.writeByte(1); // no partitions
                        body.writeByte(0);
                      }
                      body.writeByte(0);
                    })))
        .isLessThan(SOON);
  }

  @Test
  void aProduceRequestOfManyPartitionsIsRefusedAtOnce() throws Exception {
    assertThat(
            time(
                frame(
                    0,
                    9,
                    true,
                    body -> {
                      body.writeByte(0);
                      body.writeShort(1);
                      body.writeInt(1_000);
                      unsignedVarint(body, 2);
                      body.writeByte(1);
                      unsignedVarint(body, 100_001);
                      for (int partition = 0; partition < 100_000; partition++) {
                        body.writeInt(0);
                        body.writeByte(0); // no records
                        body.writeByte(0);
                      }
                      body.writeByte(0);
                      body.writeByte(0);
                    })))
        .isLessThan(SOON);
  }

  @Test
  void aMetadataRequestOfManyTopicsIsRefusedAtOnce() throws Exception {
    assertThat(
            time(
                frame(
                    3,
                    9,
                    true,
                    body -> {
                      unsignedVarint(body, 4_001);
                      for (int topic = 0; topic < 4_000; topic++) {
                        body.writeByte(1);
                        body.writeByte(0);
                      }
                      body.writeByte(1);
                      body.writeByte(0);
                      body.writeByte(0);
                      body.writeByte(0);
                    })))
        .isLessThan(SOON);
  }

  @Test
  void aMetadataRequestOfManyTopicsInTheOldFormIsRefusedAtOnce() throws Exception {
    assertThat(
            time(
                frame(
                    3,
                    1,
                    false,
                    body -> {
                      body.writeInt(4_000);
                      for (int topic = 0; topic < 4_000; topic++) {
                        body.writeShort(0);
                      }
                    })))
        .isLessThan(SOON);
  }

  /** How long until the connection is ended for the frame. */
  private Duration time(byte[] frame) throws IOException {
    try (TestingKafkaConnection connection = new TestingKafkaConnection(listener.port())) {
      connection.logIn(KEY);
      long before = System.nanoTime();
      connection.send(frame);
      assertThat(connection.receive()).isNull();
      return Duration.ofNanos(System.nanoTime() - before);
    }
  }
}

package io.tidemark.flink.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokersTest {

  @TempDir private Path folder;

  @Test
  void aClientFindsWhatTheFileHasAndTheJobsPlanHoldsNoneOfIt() throws Exception {
    Path file = folder.resolve("rollup.properties");
    Files.writeString(file, "security.protocol=SASL_SSL\nsasl.jaas.config=module \"secret\";\n");
    Brokers brokers = Brokers.of("a:1", file.toString());

    assertFalse(brokers.properties().toString().contains("secret"));
    AdminClientConfig client = new AdminClientConfig(brokers.settings());
    assertEquals("SASL_SSL", client.getString("security.protocol"));
    assertTrue(client.getPassword("sasl.jaas.config").value().contains("secret"));
  }

  @Test
  void withoutAFileThereIsAnAddressOnly() {
    assertEquals(Map.of("bootstrap.servers", "a:1"), Brokers.of("a:1", "").settings());
    assertEquals(Map.of("bootstrap.servers", "a:1"), Brokers.at("a:1").settings());
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    IllegalArgumentException told =
        assertThrows(
            IllegalArgumentException.class,
            () -> Brokers.of("a:1", folder.resolve("none").toString()));
    assertTrue(told.getMessage().contains("--kafka.client"));
  }
}

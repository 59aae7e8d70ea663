package io.tidemark.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerAccessTest {

  @TempDir private Path folder;

  @Test
  void settingsOfTheFileAreAddedAndOnesOwnWin() throws Exception {
    Path file = folder.resolve("client.properties");
    Files.writeString(file, "security.protocol=SASL_SSL\nclient.id=other\n");

    assertThat(BrokerAccess.with(Map.of("client.id", "mine"), Optional.of(file)))
        .isEqualTo(Map.of("security.protocol", "SASL_SSL", "client.id", "mine"));
    assertThat(BrokerAccess.with(Map.of("client.id", "mine"), Optional.empty()))
        .isEqualTo(Map.of("client.id", "mine"));
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> BrokerAccess.with(Map.of(), Optional.of(folder.resolve("none"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("TIDEMARK_KAFKA_CLIENT")
        .hasMessageContaining("none");
  }
}

package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.StackSettings.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackSettingsTest {
  @TempDir private Path root;

  private StackSettings settings(String storage) {
    return StackSettings.fromEnvironment(root, Map.of("TIDEMARK_STORAGE", storage));
  }

  @Test
  void sharedFoldersLieOnTheMachineOrInBuckets() {
    assertThat(StackSettings.fromEnvironment(root, Map.of()).storage()).isEqualTo(Storage.LOCAL);
    assertThat(settings("local").dataUri("iceberg", "warehouse"))
        .isEqualTo("file://" + settings("").data("iceberg").resolve("warehouse"));
    assertThat(settings("s3").dataUri("iceberg", "warehouse"))
        .isEqualTo("s3://tidemark-iceberg/warehouse");
    assertThatThrownBy(() -> settings("tape").storage())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("TIDEMARK_STORAGE=tape");
  }

  @Test
  void enginesLetEverybodyInUnlessTheyAreToldOtherwise() {
    assertThat(settings("").security()).isEqualTo(StackSettings.Security.NONE);
    assertThat(settings("").with("TIDEMARK_SECURITY", "tls").security())
        .isEqualTo(StackSettings.Security.TLS);
    assertThatThrownBy(() -> settings("").with("TIDEMARK_SECURITY", "yes").security())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("TIDEMARK_SECURITY=yes");
  }

  @Test
  void aStackStaysWhereItsDataAre() throws Exception {
    StackRequirements.checkStorage(settings("s3"));
    StackRequirements.checkStorage(settings("s3"));
    assertThatThrownBy(() -> StackRequirements.checkStorage(settings("local")))
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("make clean");

    Path older = root.resolve("older");
    StackSettings before = settings("s3").at(older, settings("s3").ports());
    Files.createDirectories(before.data("iceberg"));
    assertThatThrownBy(() -> StackRequirements.checkStorage(before))
        .isInstanceOf(StackFailure.class);
  }
}

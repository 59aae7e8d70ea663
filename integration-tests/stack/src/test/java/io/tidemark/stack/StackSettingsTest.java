package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.stack.StackSettings.Catalog;
import io.tidemark.stack.StackSettings.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
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
    assertThat(settings("gcs").dataUri("iceberg", "warehouse"))
        .isEqualTo("gs://tidemark-iceberg/warehouse");
    assertThat(settings("gcs").dataUri("flink", "checkpoints")).startsWith("file://");
    assertThat(settings("azure").dataUri("iceberg", "warehouse"))
        .isEqualTo("abfss://tidemark-iceberg@tidemark.dfs.core.windows.net/warehouse");
    assertThat(settings("azure").dataUri("flink", "checkpoints")).startsWith("file://");
    assertThatThrownBy(() -> settings("tape").storage())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("TIDEMARK_STORAGE=tape");
  }

  @Test
  void thereIsOneBrokerOrThereAreThreeThatNothingStandsBefore() {
    StackSettings three = settings("").with("TIDEMARK_BROKERS", "3");
    assertThat(settings("").brokers()).isEqualTo(1);
    assertThat(three.brokers()).isEqualTo(3);
    assertThatThrownBy(() -> settings("").with("TIDEMARK_BROKERS", "2").brokers())
        .isInstanceOf(StackFailure.class)
        .hasMessage("TIDEMARK_BROKERS=2 is none of [1, 3].");
    for (StackSettings refused :
        List.of(three.with("TIDEMARK_LINKS", "proxied"), three.with("TIDEMARK_SECURITY", "tls"))) {
      assertThatThrownBy(refused::brokers)
          .isInstanceOf(StackFailure.class)
          .hasMessageContaining("goes neither with");
    }
  }

  @Test
  void theLakesCatalogMaySpeakRestWhereEnginesLetEverybodyIn() {
    StackSettings rest = settings("").with("TIDEMARK_CATALOG", "rest");
    assertThat(settings("").catalog()).isEqualTo(Catalog.JDBC);
    assertThat(rest.catalog()).isEqualTo(Catalog.REST);
    assertThatThrownBy(() -> rest.with("TIDEMARK_CATALOG", "paper").catalog())
        .isInstanceOf(StackFailure.class)
        .hasMessage("TIDEMARK_CATALOG=paper is neither jdbc nor rest.");
    assertThatThrownBy(() -> rest.with("TIDEMARK_SECURITY", "tls").catalog())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("do not go together");
  }

  @Test
  void thereAreOneToFourProcessesOfPlatformApi() {
    assertThat(settings("").platformProcesses()).isEqualTo(1);
    assertThat(settings("").with("TIDEMARK_PLATFORM_PROCESSES", "4").platformProcesses())
        .isEqualTo(4);
    assertThatThrownBy(
            () -> settings("").with("TIDEMARK_PLATFORM_PROCESSES", "5").platformProcesses())
        .isInstanceOf(StackFailure.class)
        .hasMessage("TIDEMARK_PLATFORM_PROCESSES=5 is none of [1, 2, 3, 4].");
  }

  @Test
  void enginesLetEverybodyInUnlessTheyAreToldOtherwise() {
    assertThat(settings("").security()).isEqualTo(StackSettings.Security.NONE);
    assertThat(settings("").with("TIDEMARK_SECURITY", "tls").security())
        .isEqualTo(StackSettings.Security.TLS);
    assertThat(settings("").otlpHttp()).isEqualTo("http://127.0.0.1:4318");
    assertThat(settings("").with("TIDEMARK_SECURITY", "tls").otlpHttp())
        .isEqualTo("https://127.0.0.1:4318");
    assertThatThrownBy(() -> settings("").with("TIDEMARK_SECURITY", "yes").security())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("TIDEMARK_SECURITY=yes");
  }

  @Test
  void enginesUseBothCompilersUnlessTheyAreToldOtherwise() {
    assertThat(settings("").isFirstCompilerAlone()).isFalse();
    assertThat(settings("").with("TIDEMARK_COMPILERS", "first").isFirstCompilerAlone()).isTrue();
    assertThatThrownBy(() -> settings("").with("TIDEMARK_COMPILERS", "c1").isFirstCompilerAlone())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("TIDEMARK_COMPILERS=c1");
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

  @Test
  void aSecondRegionHasTheKeysOfTheFirstAndItsOwnPasswords() throws Exception {
    Path home = root.resolve("first");
    StackSettings first =
        StackSettings.fromEnvironment(root, Map.of("TIDEMARK_PORT_BASE", "40000"))
            .at(home, PortPlan.fromEnvironment(Map.of("TIDEMARK_PORT_BASE", "40000")));
    assertThatThrownBy(
            () ->
                StackSettings.fromEnvironment(root, Map.of("TIDEMARK_FIRST_REGION", "first"))
                    .otlpHttp())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("make up");
    Files.createDirectories(home);
    StackIdentity theirs =
        StackIdentity.loadOrDraw(home.resolve("secrets.env"), new SecureRandom());
    new Coordinates(first, theirs).write();

    StackSettings second =
        StackSettings.fromEnvironment(
            root,
            Map.of(
                "TIDEMARK_FIRST_REGION",
                "first",
                "TIDEMARK_WITHOUT",
                "druid-historical-hot, druid-indexer-batch"));
    assertThat(second.otlpHttp()).isEqualTo("http://127.0.0.1:40003");
    assertThat(second.without())
        .containsExactlyInAnyOrder("druid-historical-hot", "druid-indexer-batch");
    StackIdentity own =
        StackIdentity.loadOrDraw(root.resolve("second/secrets.env"), new SecureRandom());
    StackIdentity joined = own.joining(second.firstRegion().orElseThrow());
    for (String name : own.values().keySet()) {
      assertThat(joined.get(name))
          .as(name)
          .isEqualTo(FirstRegion.SHARED.contains(name) ? theirs.get(name) : own.get(name));
    }
    assertThat(joined.get("TIDEMARK_KAFKA_CLUSTER_ID"))
        .isNotEqualTo(theirs.get("TIDEMARK_KAFKA_CLUSTER_ID"));
    assertThatThrownBy(() -> second.with("TIDEMARK_SECURITY", "tls").firstRegion())
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("do not go together");
  }
}

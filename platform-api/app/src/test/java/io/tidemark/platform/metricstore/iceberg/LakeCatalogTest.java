package io.tidemark.platform.metricstore.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.metricstore.iceberg.LakeCatalog.CatalogLocation;
import io.tidemark.platform.metricstore.iceberg.LakeCatalog.StoreAccess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.io.FileIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LakeCatalogTest {

  private static FileIO files(String warehouse, String endpoint) {
    return files(warehouse, new StoreAccess(endpoint, true, Map.of(), ""));
  }

  private static FileIO files(String warehouse, StoreAccess access) {
    return new CatalogLocation(
            "jdbc:postgresql://h/iceberg", "u", "p", Map.of(), warehouse, "telemetry", access)
        .files(Map.of());
  }

  @Test
  void theSchemeOfTheWarehouseSaysWhereItsFilesAre() {
    try (FileIO local = files("file:///lake", "");
        FileIO amazon = files("s3://tidemark-lake/warehouse", "");
        FileIO own = files("s3://tidemark-lake/warehouse", "http://127.0.0.1:9")) {
      assertThat(local).isInstanceOf(LocalFiles.class);
      assertThat(amazon).isInstanceOf(S3FileIO.class);
      assertThat(amazon.properties()).doesNotContainKey("s3.endpoint");
      assertThat(own.properties())
          .containsEntry("s3.endpoint", "http://127.0.0.1:9")
          .containsEntry("s3.path-style-access", "true");
    }
  }

  @Test
  void aStoreThatIsNotBuiltInSaysWhichJarsItWants(@TempDir Path folder) {
    for (String bundles : List.of("", folder.toString())) {
      assertThatThrownBy(
              () ->
                  files(
                      "abfss://lake@account.dfs.core.windows.net/warehouse",
                      new StoreAccess("", true, Map.of(), bundles)))
          .hasMessageContainingAll("iceberg-azure-bundle", "TIDEMARK_LAKE_BUNDLES");
    }
  }
}

package io.tidemark.flink.lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarehouseFilesTest {

  private static final Map<String, String> STORE =
      Map.of(WarehouseFiles.ENDPOINT, "http://127.0.0.1:9");

  @Test
  void theSchemeOfTheWarehouseDecides() {
    try (FileIO local = WarehouseFiles.open("file:///lake", Map.of());
        FileIO store = WarehouseFiles.open("s3://lake/warehouse", STORE)) {
      assertInstanceOf(LocalFileIO.class, local);
      assertInstanceOf(S3FileIO.class, store);
      // Upkeep removes files that no snapshot has; it finds them by their folder.
      assertInstanceOf(SupportsPrefixOperations.class, store);
    }
  }

  @Test
  void aStoreOfOnesOwnIsAskedByPathUnlessItHasHostsForBuckets() {
    assertEquals("http://127.0.0.1:9", WarehouseFiles.properties(STORE).get("s3.endpoint"));
    assertEquals("true", WarehouseFiles.properties(STORE).get("s3.path-style-access"));
    Map<String, String> hosts =
        Map.of(WarehouseFiles.ENDPOINT, "https://s3.example", WarehouseFiles.PATH_STYLE, "false");
    assertEquals("false", WarehouseFiles.properties(hosts).get("s3.path-style-access"));
    assertFalse(WarehouseFiles.properties(Map.of()).containsKey("s3.endpoint"));
  }

  @Test
  void whatIsNoWarehouseIsRefused() {
    assertTrue(WarehouseFiles.isWarehouse("s3://tidemark-lake/warehouse"));
    assertTrue(WarehouseFiles.isWarehouse("s3://tidemark-lake"));
    assertTrue(WarehouseFiles.isWarehouse("gs://tidemark-lake/warehouse"));
    assertTrue(WarehouseFiles.isWarehouse("abfss://lake@account.dfs.core.windows.net/warehouse"));
    for (String other :
        new String[] {"/lake", "s3://", "s3://A_b/c", "abfss://lake", "hdfs://host/lake"}) {
      assertFalse(WarehouseFiles.isWarehouse(other), other);
    }
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> WarehouseFiles.open("hdfs://host/lake", STORE));
    assertEquals("'hdfs://host/lake' is not a file:, s3:, gs: or abfss: URI", refused.getMessage());
  }

  @Test
  void aStoreThatIsNotBuiltInSaysWhichJarsItWants(@TempDir Path folder) {
    for (Map<String, String> environment :
        List.of(Map.<String, String>of(), Map.of(WarehouseFiles.BUNDLES, folder.toString()))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> WarehouseFiles.open("gs://tidemark-lake/warehouse", environment));
      assertTrue(refused.getMessage().contains("iceberg-gcp-bundle"), refused.getMessage());
      assertTrue(refused.getMessage().contains(WarehouseFiles.BUNDLES), refused.getMessage());
    }
  }

  @Test
  void furtherPropertiesAreIcebergsOwn() {
    Map<String, String> properties =
        WarehouseFiles.properties(
            Map.of(WarehouseFiles.PROPERTIES, "gcs.no-auth=true, gcs.service.host=http://h:1/a=b"));
    assertEquals("true", properties.get("gcs.no-auth"));
    assertEquals("http://h:1/a=b", properties.get("gcs.service.host"));
    assertThrows(
        IllegalArgumentException.class,
        () -> WarehouseFiles.properties(Map.of(WarehouseFiles.PROPERTIES, "gcs.no-auth")));
  }
}

package io.tidemark.flink.lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LakeTablesConfigTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of("TIDEMARK_CATALOG_PASSWORD", "secret-word");

  @Test
  void readsEveryArgument() {
    LakeTablesConfig config =
        LakeTablesConfig.parse(
            ENVIRONMENT,
            "--catalog.uri",
            "jdbc:postgresql://db:5432/tidemark",
            "--catalog.user",
            "lake",
            "--warehouse",
            "file:///lake",
            "--tables",
            "tables.yaml");

    assertEquals("jdbc:postgresql://db:5432/tidemark", config.access().catalogUri());
    assertEquals("lake", config.access().catalogUser());
    assertEquals("secret-word", config.access().catalogPassword());
    assertEquals("file:///lake", config.access().warehouse());
    assertEquals(Path.of("tables.yaml"), config.tables());
    assertFalse(config.toString().contains("secret-word"));
  }

  @Test
  void namesEveryFaultAtOnce() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                LakeTablesConfig.parse(
                    Map.of(),
                    "--warehouse",
                    "/lake",
                    "--colour",
                    "blue",
                    "--reader",
                    "reader.sql",
                    "--tables"));

    for (String fault :
        new String[] {
          "--catalog.uri is missing",
          "--catalog.user is missing",
          "--warehouse is '/lake'",
          "'--colour' is not known",
          "--tables has no value",
          "TIDEMARK_CATALOG_PASSWORD is not set",
          "TIDEMARK_CATALOG_READER_PASSWORD is not set"
        }) {
      assertTrue(refused.getMessage().contains(fault), fault + " in " + refused.getMessage());
    }
  }
}

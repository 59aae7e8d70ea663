package io.tidemark.flink.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplayConfigTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of(ReplayConfig.PASSWORD, "not to be shown");

  @Test
  void leadInIsADayUnlessSaid() {
    ReplayConfig config = ReplayConfig.parse(ENVIRONMENT, arguments("2026-03-01T12:00:00Z"));

    assertEquals(Duration.ofHours(24), config.leadIn());
    assertEquals("out/v1", config.folder().toString());
    assertFalse(config.toString().contains("not to be shown"));
  }

  @Test
  void everyFaultIsSaidAtOnce() {
    Throwable thrown =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                ReplayConfig.parse(
                    Map.of(),
                    "--tenant",
                    "org/a",
                    "--from",
                    "2026-03-01T12:00:30Z",
                    "--to",
                    "noonZ",
                    "--version",
                    "../v",
                    "--speed",
                    "9"));

    assertEquals(
        """
        The replay cannot start:
          - '--speed' is not known; known are --catalog.uri, --catalog.user, --warehouse, --tenant, --from, --to, --target, --version, --kafka.bootstrap.servers, --routes.topic, --lead-in, --druid
          - --catalog.uri is missing
          - --catalog.user is missing
          - --warehouse is missing
          - --tenant is 'org/a', expected [a-z0-9][a-z0-9-]{0,62}
          - --target is missing
          - --version is '../v', expected [A-Za-z0-9][A-Za-z0-9._-]{0,99}
          - --kafka.bootstrap.servers is missing
          - --routes.topic is missing
          - the environment variable TIDEMARK_CATALOG_PASSWORD is not set
          - --from is '2026-03-01T12:00:30Z', expected a whole minute
          - --to is 'noonZ', expected a time like 2026-03-01T00:00:00Z""",
        thrown.getMessage());
  }

  @Test
  void windowMustNotBeEmpty() {
    Throwable thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> ReplayConfig.parse(ENVIRONMENT, arguments("2026-03-01T13:00:00Z")));

    assertEquals(
        """
        The replay cannot start:
          - --from 2026-03-01T13:00:00Z is not before --to 2026-03-01T13:00:00Z""",
        thrown.getMessage());
  }

  private static String[] arguments(String from) {
    return new String[] {
      "--catalog.uri", "jdbc:postgresql://localhost:1/iceberg",
      "--catalog.user", "tidemark",
      "--warehouse", "file:///warehouse",
      "--tenant", "org-a",
      "--from", from,
      "--to", "2026-03-01T13:00:00Z",
      "--target", "out",
      "--version", "v1",
      "--kafka.bootstrap.servers", "localhost:1",
      "--routes.topic", "pipeline.routes.v1"
    };
  }
}

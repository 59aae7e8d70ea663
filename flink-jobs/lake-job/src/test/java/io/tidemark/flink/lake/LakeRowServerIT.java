package io.tidemark.flink.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.io.rows.RollupRecord;
import io.tidemark.flink.lake.parquet.SortedFile;
import io.tidemark.flink.lake.rows.RollupRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.OutputFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of real tables, over HTTP. */
class LakeRowServerIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PASSWORD = "0123456789abcdef";
  private static final long MIDNIGHT = 1767225600000L;
  private static final long DAY = 86_400_000L;

  @TempDir Path folder;
  private TestingLake lake;
  private LakeRowServer server;
  private int files;

  @BeforeEach
  void start() throws Exception {
    lake = TestingLake.in(folder);
    server =
        new LakeRowServer(
            lake.catalog(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), PASSWORD);
  }

  @AfterEach
  void stop() {
    server.close();
    lake.close();
  }

  @Test
  void pinnedRowsAreServedAndLaterOnesAreNot() throws Exception {
    append(row("org-a", MIDNIGHT, 1), row("org-a", MIDNIGHT + 60_000, 2));
    append(row("org-a", MIDNIGHT + DAY, 3), row("org-b", MIDNIGHT, 4));
    JsonNode pinned = JSON.readTree(post("/tables/rollup_1m/pin", "", PASSWORD).body());
    append(row("org-a", MIDNIGHT, 5));

    Set<String> served = new TreeSet<>();
    long rows = 0;
    for (JsonNode part : pinned.path("parts")) {
      rows += part.path("rows").asLong();
      for (String line :
          send(
                  HttpRequest.newBuilder(
                          uri(
                              "/tables/rollup_1m/rows/%s/%d"
                                  .formatted(
                                      part.path("day").asText(), part.path("bucket").asInt())))
                      .GET(),
                  PASSWORD)
              .body()
              .lines()
              .toList()) {
        served.add(JSON.readTree(line).path("pane_id").asText());
      }
    }
    assertEquals(Set.of("pane-1", "pane-2", "pane-3", "pane-4"), served);
    assertEquals(4, rows);

    String asked =
        row("org-a", MIDNIGHT + 60_000, 2)
            + "\n"
            + row("org-a", MIDNIGHT, 5)
            + "\n"
            + row("org-b", MIDNIGHT, 4);
    assertEquals(
        Set.of("pane-2", "pane-4"),
        Set.copyOf(post("/tables/rollup_1m/stored", asked, PASSWORD).body().lines().toList()));

    Table table = lake.table("rollup_1m");
    assertNotNull(table.refs().get(PinnedTable.TAG), "held while it is read");
    table.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    assertNotNull(table.snapshot(pinned.path("snapshot").asLong()));
    post("/tables/rollup_1m/release", "", PASSWORD);
    assertNull(lake.table("rollup_1m").refs().get(PinnedTable.TAG));
  }

  @Test
  void offsetsAreThoseOfThePinnedSnapshot() throws Exception {
    append(row("org-a", MIDNIGHT, 1));
    assertEquals("{}", pin().path("offsets").toString(), "nobody said them");
    append(committed(1, "{\"0\":42,\"1\":7}"), row("org-a", MIDNIGHT, 2));
    assertEquals("{\"0\":42,\"1\":7}", pin().path("offsets").toString());

    Table read = lake.table("rollup_1m");
    append(committed(2, "{\"0\":50,\"1\":7}"), row("org-a", MIDNIGHT, 3));
    PinnedTable pinned = PinnedTable.pin(read);
    assertEquals(2, pinned.parts().stream().mapToLong(pinned::rows).sum());
    assertEquals(Map.of(0, 42L, 1, 7L), pinned.offsets(), "of its rows, not of later ones");
  }

  private JsonNode pin() throws Exception {
    return JSON.readTree(post("/tables/rollup_1m/pin", "", PASSWORD).body());
  }

  /** As the committer says it. */
  private static Map<String, String> committed(int checkpoint, String offsets) {
    return Map.of(
        "tidemark.writer",
        "w",
        "tidemark.checkpoint",
        Integer.toString(checkpoint),
        "tidemark.topic-offsets",
        offsets);
  }

  @Test
  void aTableWithoutRowsHasNoParts() throws Exception {
    JsonNode pinned = JSON.readTree(post("/tables/rollup_1d/pin", "", PASSWORD).body());
    assertEquals(0, pinned.path("parts").size());
    assertEquals(0, pinned.path("offsets").size());
    assertEquals("", post("/tables/rollup_1d/stored", row("org-a", MIDNIGHT, 1), PASSWORD).body());
  }

  @Test
  void nobodyReadsWithoutThePassword() throws Exception {
    append(row("org-a", MIDNIGHT, 1));
    for (String path : List.of("/tables/rollup_1m/pin", "/tables/rollup_1m/stored", "/tables/")) {
      assertEquals(401, post(path, "", "another password").statusCode(), path);
    }
    assertTrue(lake.table("rollup_1m").refs().get(PinnedTable.TAG) == null);
  }

  private static String row(String organization, long timestamp, int number) {
    return """
        {"timestamp":%d,"organization_id":"%s","environment_id":"e","metric":"m","metric_type":"gauge","unit":"1",\
        "resource_type":"service","resource_id":"s","series_id":"%032d","resource.service.id":"s","metric.n":"%d",\
        "sum":%d.5,"count":1,"min":1.0,"max":1.0,"last":1.0,"last_timestamp":%d,"pane_id":"pane-%d"}"""
        .formatted(timestamp, organization, number, number, number, timestamp, number);
  }

  private void append(String... rows) {
    append(Map.of(), rows);
  }

  /**
   * @param summary of the snapshot
   */
  private void append(Map<String, String> summary, String... rows) {
    Table table = lake.table("rollup_1m");
    RollupRows buffer = new RollupRows(table.schema(), 16, 1_000);
    buffer.add(new RollupRecord(0, 0, String.join("\n", rows).getBytes(UTF_8)));
    var append = table.newAppend();
    summary.forEach(append::set);
    buffer.drain(
        (day, bucket, sorted) -> {
          String path = table.location() + "/data/" + files++ + ".parquet";
          OutputFile file = table.io().newOutputFile(path);
          try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
              OutputStream out = file.create()) {
            SortedFile written = new SortedFile(table.schema(), bytes, 3);
            written.write(sorted);
            Metrics metrics = written.finish();
            out.write(bytes.toByteArray());
            org.apache.iceberg.PartitionData partition =
                new org.apache.iceberg.PartitionData(table.spec().partitionType());
            partition.set(0, (int) day);
            partition.set(1, bucket);
            append.appendFile(
                DataFiles.builder(table.spec())
                    .withPath(path)
                    .withFormat(org.apache.iceberg.FileFormat.PARQUET)
                    .withPartition(partition)
                    .withFileSizeInBytes(bytes.size())
                    .withMetrics(metrics)
                    .build());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    append.commit();
  }

  private HttpResponse<String> post(String path, String body, String password) throws Exception {
    return send(
        HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body)),
        password);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request, String password)
      throws Exception {
    String credentials =
        Base64.getEncoder().encodeToString((LakeRowServer.USER + ":" + password).getBytes(UTF_8));
    return HttpClient.newHttpClient()
        .send(
            request.header("Authorization", "Basic " + credentials).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}

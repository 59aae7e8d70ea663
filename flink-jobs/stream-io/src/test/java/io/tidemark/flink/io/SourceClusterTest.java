package io.tidemark.flink.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceClusterTest {
  private static final String SERVERS = "source.kafka.bootstrap.servers";
  private static final Brokers OWN = Brokers.at("own:9092");

  @TempDir private Path folder;

  private static List<String> faults(Map<String, String> values) {
    List<String> faults = new ArrayList<>();
    SourceCluster.check(values, faults);
    return faults;
  }

  private static SourceCluster of(Map<String, String> values) {
    assertEquals(List.of(), faults(values));
    return SourceCluster.of(values, OWN, "tidemark-rollup");
  }

  @Test
  void aJobReadsItsOwnClusterIfNothingElseIsSaid() {
    SourceCluster source = of(Map.of());
    assertSame(OWN, source.brokers());
    assertEquals("tidemark-rollup", source.group());
  }

  @Test
  void aSecondRegionReadsTheFirstUnderAGroupOfItsOwn() {
    SourceCluster source = of(Map.of(SERVERS, "first:9092,other:9092", "region", "west"));
    assertEquals(Map.of("bootstrap.servers", "first:9092,other:9092"), source.brokers().settings());
    assertEquals("tidemark-rollup-west", source.group());
  }

  @Test
  void theFirstRegionIsShownTheSameFileAsTheJobsOwn() throws Exception {
    Path file = folder.resolve("rollup.properties");
    Files.writeString(file, "security.protocol=SASL_SSL\n");
    SourceCluster source =
        of(Map.of(SERVERS, "first:9092", "region", "west", Brokers.CLIENT, file.toString()));
    assertEquals("first:9092", source.brokers().bootstrapServers());
    assertTrue(source.brokers().settings().get("security.protocol").toString().contains("rollup"));
  }

  @Test
  void oneWithoutTheOtherIsAFault() {
    assertEquals(1, faults(Map.of(SERVERS, "first:9092")).size());
    assertEquals(1, faults(Map.of("region", "west")).size());
  }

  @Test
  void bothAreChecked() {
    assertEquals(2, faults(Map.of(SERVERS, "first", "region", "West Coast")).size());
  }
}

package io.tidemark.flink.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SourceClusterTest {

  private final List<String> faults = new ArrayList<>();

  private SourceCluster parse(Map<String, String> values) {
    return SourceCluster.parse(values, "own:9092", "tidemark-rollup", faults);
  }

  @Test
  void aJobReadsItsOwnClusterIfNothingElseIsSaid() {
    assertEquals(new SourceCluster("own:9092", "tidemark-rollup"), parse(Map.of()));
    assertEquals(List.of(), faults);
  }

  @Test
  void aSecondRegionReadsTheFirstUnderAGroupOfItsOwn() {
    assertEquals(
        new SourceCluster("first:9092,other:9092", "tidemark-rollup-west"),
        parse(Map.of("source.kafka.bootstrap.servers", "first:9092,other:9092", "region", "west")));
    assertEquals(List.of(), faults);
  }

  @Test
  void oneWithoutTheOtherIsAFault() {
    parse(Map.of("source.kafka.bootstrap.servers", "first:9092"));
    parse(Map.of("region", "west"));
    assertEquals(2, faults.size());
  }

  @Test
  void bothAreChecked() {
    parse(Map.of("source.kafka.bootstrap.servers", "first", "region", "West Coast"));
    assertEquals(2, faults.size());
  }
}

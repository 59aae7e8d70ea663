package io.tidemark.flink.io.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RowSourceTest {

  @Test
  void recordsComeWithTheirPositions() throws Exception {
    List<RollupRecord> read = new ArrayList<>();
    ListCollector<RollupRecord> out = new ListCollector<>(read);
    RowSource.records()
        .deserialize(new ConsumerRecord<>("rows", 3, 41, new byte[0], new byte[] {1, 2}), out);
    RowSource.records().deserialize(new ConsumerRecord<>("rows", 3, 42, new byte[0], null), out);

    assertEquals(1, read.size(), "one without a value is nothing");
    assertEquals(3, read.get(0).partition());
    assertEquals(41, read.get(0).offset());
    assertArrayEquals(new byte[] {1, 2}, read.get(0).rows());
  }
}

package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BundleRowsTest {

  private OneInputStreamOperatorTestHarness<byte[], byte[]> bundling;

  @BeforeEach
  void open() throws Exception {
    bundling = new OneInputStreamOperatorTestHarness<>(new BundleRows());
    bundling.open();
    bundling.setProcessingTime(10_000);
  }

  @AfterEach
  void close() throws Exception {
    bundling.close();
  }

  /**
   * A row left behind the barrier would be in no transaction of that checkpoint, and in no state.
   */
  @Test
  void everythingGoesOutBeforeTheBarrier() throws Exception {
    row("a");
    row("b");

    bundling.prepareSnapshotPreBarrier(1);

    assertEquals(List.of("a\nb"), bundles());
  }

  @Test
  void rowsWaitAtMostASecond() throws Exception {
    row("a");
    bundling.setProcessingTime(10_900);
    row("b");
    assertEquals(List.of(), bundles());

    bundling.setProcessingTime(11_000);
    assertEquals(List.of("a\nb"), bundles());

    row("c");
    bundling.setProcessingTime(12_000);
    assertEquals(List.of("a\nb", "c"), bundles());
  }

  @Test
  void fullBundleGoesOutAtOnce() throws Exception {
    for (int i = 0; i < 501; i++) {
      row("r" + i);
    }

    assertEquals(1, bundles().size());
    assertEquals(500, bundles().get(0).split("\n").length);
  }

  @Test
  void endOfInputLeavesNothing() throws Exception {
    row("a");

    bundling.endInput();

    assertEquals(List.of("a"), bundles());
  }

  private void row(String text) throws Exception {
    bundling.processElement(new StreamRecord<>(text.getBytes(UTF_8)));
  }

  private List<String> bundles() {
    return bundling.extractOutputValues().stream()
        .map(bundle -> new String(bundle, UTF_8))
        .toList();
  }
}

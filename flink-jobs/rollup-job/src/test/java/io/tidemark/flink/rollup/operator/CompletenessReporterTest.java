package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.pipeline.v1.Lagging;
import io.tidemark.contracts.pipeline.v1.Progress;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CompletenessReporterTest {

  private TwoInputStreamOperatorTestHarness<LateRows, TenantLag, byte[]> telling;
  private int requests;

  @BeforeEach
  void open() throws Exception {
    telling = harness();
    telling.open();
    telling.setProcessingTime(at("12:10:10"));
  }

  @AfterEach
  void close() throws Exception {
    telling.close();
  }

  /** Earlier it could be read before the rows. */
  @Test
  void nothingIsSaidBeforeTheCheckpointIsComplete() throws Exception {
    watermark("12:05:00");
    telling.snapshot(1, 1);
    watermark("12:06:00");
    assertEquals(List.of(), said());

    telling.notifyOfCompletedCheckpoint(1);

    assertEquals(List.of("complete 12:05:00.001"), said());
  }

  @Test
  void theSlowestReaderOfBatchesHoldsTheStatementBack() throws Exception {
    telling.processWatermark1(new Watermark(at("12:05:00")));
    telling.snapshot(1, 1);
    telling.notifyOfCompletedCheckpoint(1);

    assertEquals(List.of(), said());
  }

  @Test
  void laggingTenantsAreNamed() throws Exception {
    telling.processElement2(new StreamRecord<>(new TenantLag("org-slow", at("11:00:00"))));
    watermark("12:05:00");
    telling.snapshot(1, 1);
    telling.notifyOfCompletedCheckpoint(1);

    assertEquals(List.of("complete 12:05:00.001 except org-slow 11:00"), said());
  }

  /** A restart remembers who lagged; the first punctual batch after it ends that. */
  @Test
  void aTenantThatIsPunctualAgainIsNotNamed() throws Exception {
    telling.processElement2(new StreamRecord<>(new TenantLag("org-slow", at("11:00:00"))));
    watermark("12:05:00");
    OperatorSubtaskState snapshot = telling.snapshot(1, 1);
    telling.close();
    telling = harness();
    telling.initializeState(snapshot);
    telling.open();

    telling.processElement2(new StreamRecord<>(TenantLag.none("org-slow")));
    watermark("12:05:01");
    telling.snapshot(2, 2);
    telling.notifyOfCompletedCheckpoint(2);

    assertEquals(List.of("complete 12:05:01.001"), said());
  }

  @Test
  void onlyRowsOfStatedWindowsAreRevisions() throws Exception {
    watermark("12:05:00");
    late("12:04:00");
    telling.snapshot(1, 1);
    late("12:04:00");
    late("12:05:00");

    assertEquals(List.of("revised org-a LEVEL_MINUTE 12:04 2"), said());
  }

  /** The end of input completes everything, but it is no time. */
  @Test
  void endOfInputIsNotStated() throws Exception {
    watermark("12:05:00");
    telling.processWatermark1(Watermark.MAX_WATERMARK);
    telling.processWatermark2(Watermark.MAX_WATERMARK);
    telling.snapshot(1, 1);
    telling.notifyOfCompletedCheckpoint(1);

    assertEquals(List.of("complete 12:05:00.001"), said());
  }

  @Test
  void whatACrashTookIsSaidAgain() throws Exception {
    telling.processElement2(new StreamRecord<>(new TenantLag("org-slow", at("11:00:00"))));
    watermark("12:05:00");
    OperatorSubtaskState snapshot = telling.snapshot(1, 1);
    telling.close();

    telling = harness();
    telling.setProcessingTime(at("12:10:10"));
    telling.initializeState(snapshot);
    telling.open();
    late("12:04:00");
    telling.setProcessingTime(at("12:10:12"));

    assertEquals(
        List.of(
            "revised org-a LEVEL_MINUTE 12:04 2", "complete 12:05:00.001 except org-slow 11:00"),
        said());
  }

  /** One that commits the minute's rows, and one that commits the statement about them. */
  @Test
  void theEndOfAMinuteAsksForTwoCheckpoints() throws Exception {
    watermark("12:04:59.999");
    assertEquals(1, requests);
    telling.snapshot(1, 1);
    telling.notifyOfCompletedCheckpoint(1);
    assertEquals(2, requests);

    telling.setProcessingTime(at("12:10:40"));
    watermark("12:05:30");
    telling.snapshot(2, 2);
    telling.notifyOfCompletedCheckpoint(2);
    assertEquals(2, requests);
  }

  /** Rows of a minute that rules have decided are decided anew with the statement after them. */
  @Test
  void lateRowsAskForTheCheckpointThatCommitsTheStatementAfterThem() throws Exception {
    watermark("12:04:59.999");
    telling.snapshot(1, 1);
    telling.notifyOfCompletedCheckpoint(1);
    int ofMinute = requests;
    late("12:04:00");
    assertEquals(ofMinute, requests, "the rows themselves wait for the interval");
    watermark("12:05:03");
    telling.snapshot(2, 2);
    assertEquals(ofMinute, requests);
    telling.notifyOfCompletedCheckpoint(2);
    assertEquals(ofMinute + 1, requests);
    assertEquals("complete 12:05:03.001", said().get(said().size() - 1));

    late("12:04:00");
    telling.snapshot(3, 3);
    telling.notifyOfCompletedCheckpoint(3);
    assertEquals(ofMinute + 1, requests, "seldom while rows are late all the time");
    late("12:05:00");
    telling.setProcessingTime(at("12:10:20"));
    telling.snapshot(4, 4);
    telling.notifyOfCompletedCheckpoint(4);
    assertEquals(ofMinute + 1, requests, "rows of an open minute are not late");
  }

  /** The two checkpoints at the end of a minute often find the same event time. */
  @Test
  void theStatementAfterLateRowsIsNotTheOneBefore() throws Exception {
    watermark("12:05:00");
    telling.snapshot(1, 1);
    telling.notifyOfCompletedCheckpoint(1);
    late("12:04:00");
    telling.snapshot(2, 2);
    telling.notifyOfCompletedCheckpoint(2);
    telling.snapshot(3, 3);
    telling.notifyOfCompletedCheckpoint(3);

    assertEquals(
        List.of(
            "complete 12:05:00.001",
            "revised org-a LEVEL_MINUTE 12:04 2",
            "complete 12:05:00.002",
            "complete 12:05:00.002"),
        said());
  }

  private void watermark(String time) throws Exception {
    telling.processWatermark1(new Watermark(at(time)));
    telling.processWatermark2(new Watermark(at(time)));
  }

  private void late(String minute) throws Exception {
    telling.processElement1(
        new StreamRecord<>(new LateRows("org-a", RollupLevel.MINUTE, at(minute), 2, "cpu")));
  }

  private TwoInputStreamOperatorTestHarness<LateRows, TenantLag, byte[]> harness()
      throws Exception {
    return new TwoInputStreamOperatorTestHarness<>(
        new CompletenessReporter(event -> requests++), 1, 1, 0);
  }

  private List<String> said() throws Exception {
    return text(telling.extractOutputValues());
  }

  static List<String> text(List<byte[]> records) throws Exception {
    List<String> said = new ArrayList<>();
    for (byte[] record : records) {
      Progress progress = Progress.parseFrom(record);
      if (progress.hasRevised()) {
        said.add(
            "revised %s %s %s %d"
                .formatted(
                    progress.getRevised().getOrganizationId(),
                    progress.getRevised().getLevel(),
                    clock(progress.getRevised().getWindowUnixMs()),
                    progress.getRevised().getRows()));
      } else {
        StringBuilder text = new StringBuilder("complete ");
        text.append(clock(progress.getComplete().getCompleteUntilUnixMs()));
        for (Lagging lag : progress.getComplete().getLaggingList()) {
          text.append(" except ").append(lag.getOrganizationId()).append(' ');
          text.append(clock(lag.getCompleteUntilUnixMs()));
        }
        said.add(text.toString());
      }
    }
    return said;
  }

  private static String clock(long time) {
    return java.time.Instant.ofEpochMilli(time)
        .atZone(java.time.ZoneOffset.UTC)
        .toLocalTime()
        .toString();
  }
}

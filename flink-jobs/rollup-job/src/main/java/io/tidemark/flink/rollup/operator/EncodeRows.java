package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.rows.RowJson;
import io.tidemark.flink.io.rows.RowSink;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.RollupRow;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Rows to JSON. A row too large for a record is set aside; writing it would stop the job for good.
 */
public final class EncodeRows extends ProcessFunction<RollupRow, byte[]> {
  private static final long serialVersionUID = 1L;

  private final String sourceTopic;

  private transient DeadLetterOutput deadLetters;

  public EncodeRows(String sourceTopic) {
    this.sourceTopic = sourceTopic;
  }

  @Override
  public void open(OpenContext context) {
    deadLetters = new DeadLetterOutput(getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement(RollupRow row, Context context, Collector<byte[]> out) {
    byte[] json = RowJson.encode(row);
    if (json.length <= RowSink.LARGEST_BUNDLE) {
      out.collect(json);
    } else {
      context.output(DeadLetterOutput.TAG, deadLetters.counted(tooLarge(row, json)));
    }
  }

  private DeadLetter tooLarge(RollupRow row, byte[] json) {
    return new DeadLetter(
        RejectionReason.RECORD_TOO_LARGE,
        "A row of "
            + json.length
            + " bytes exceeds "
            + RowSink.LARGEST_BUNDLE
            + "; the original is the row, not the batch. Shorten or drop labels of series "
            + row.key().hex()
            + ".",
        row.series().organizationId(),
        row.series().environmentId(),
        "",
        sourceTopic,
        row.pane().first().partition(),
        row.pane().first().offset(),
        0,
        json,
        json.length,
        row.pane().contributions(),
        "roll-up");
  }
}

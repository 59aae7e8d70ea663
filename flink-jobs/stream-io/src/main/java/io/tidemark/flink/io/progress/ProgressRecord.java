package io.tidemark.flink.io.progress;

import io.tidemark.contracts.pipeline.v1.Complete;
import io.tidemark.contracts.pipeline.v1.Lagging;
import io.tidemark.contracts.pipeline.v1.Level;
import io.tidemark.contracts.pipeline.v1.Progress;
import io.tidemark.contracts.pipeline.v1.Revised;
import io.tidemark.flink.model.completeness.CompletenessStatement;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.model.rollup.RollupLevel;

/** Values of the watermarks topic; events/tidemark/pipeline/v1/progress.proto. */
public final class ProgressRecord {

  private ProgressRecord() {}

  public static byte[] encode(CompletenessStatement statement) {
    Complete.Builder complete =
        Complete.newBuilder()
            .setCompleteUntilUnixMs(statement.completeUntil())
            .setStatedAtUnixMs(statement.statedAt());
    for (TenantLag lag : statement.lagging()) {
      complete.addLagging(
          Lagging.newBuilder()
              .setOrganizationId(lag.organizationId())
              .setCompleteUntilUnixMs(lag.completeUntil()));
    }
    return Progress.newBuilder().setComplete(complete).build().toByteArray();
  }

  public static byte[] encode(LateRows rows) {
    return Progress.newBuilder()
        .setRevised(
            Revised.newBuilder()
                .setOrganizationId(rows.organizationId())
                .setLevel(level(rows.level()))
                .setWindowUnixMs(rows.window())
                .setRows(rows.rows()))
        .build()
        .toByteArray();
  }

  private static Level level(RollupLevel level) {
    return switch (level) {
      case MINUTE -> Level.LEVEL_MINUTE;
      case HOUR -> Level.LEVEL_HOUR;
      case DAY -> Level.LEVEL_DAY;
    };
  }
}

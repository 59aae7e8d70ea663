package io.tidemark.flink.io.progress;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.pipeline.v1.Complete;
import io.tidemark.contracts.pipeline.v1.Lagging;
import io.tidemark.contracts.pipeline.v1.Level;
import io.tidemark.contracts.pipeline.v1.Progress;
import io.tidemark.contracts.pipeline.v1.Revised;
import io.tidemark.flink.model.completeness.CompletenessStatement;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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
                .setRows(rows.rows())
                .setMetric(rows.metric()))
        .build()
        .toByteArray();
  }

  /** What the record says of all rows; empty when it says something else, or is damaged. */
  public static OptionalLong completeUntil(byte @Nullable [] value) {
    Complete complete = complete(value);
    return complete == null
        ? OptionalLong.empty()
        : OptionalLong.of(complete.getCompleteUntilUnixMs());
  }

  /** Tenants that the record says are behind; none when it says something else. */
  public static List<TenantLag> lagging(byte @Nullable [] value) {
    Complete complete = complete(value);
    List<TenantLag> lags = new ArrayList<>();
    if (complete != null) {
      for (Lagging lag : complete.getLaggingList()) {
        lags.add(new TenantLag(lag.getOrganizationId(), lag.getCompleteUntilUnixMs()));
      }
    }
    return lags;
  }

  private static @Nullable Complete complete(byte @Nullable [] value) {
    try {
      Progress progress = value == null ? null : Progress.parseFrom(value);
      return progress != null && progress.hasComplete() ? progress.getComplete() : null;
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  private static Level level(RollupLevel level) {
    return switch (level) {
      case MINUTE -> Level.LEVEL_MINUTE;
      case HOUR -> Level.LEVEL_HOUR;
      case DAY -> Level.LEVEL_DAY;
    };
  }
}

package io.tidemark.flink.io.deadletters;

import com.google.protobuf.ByteString;
import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import java.util.Arrays;

/** Dead letters in the form of the contract events/tidemark/deadletter/v1/dead_letter.proto. */
public final class DeadLetterRecord {

  private static final String REASON_PREFIX = "REASON_";

  private DeadLetterRecord() {}

  public static byte[] encode(DeadLetter letter) {
    return io.tidemark.contracts.deadletter.v1.DeadLetter.newBuilder()
        .setReason(reason(letter.reason()))
        .setDetail(letter.detail())
        .setOrganizationId(letter.organizationId())
        .setEnvironmentId(letter.environmentId())
        .setBatchId(letter.batchId())
        .setSourceTopic(letter.sourceTopic())
        .setSourcePartition(letter.sourcePartition())
        .setSourceOffset(letter.sourceOffset())
        .setReceivedAtUnixMs(letter.receivedAtUnixMs())
        .setOriginal(ByteString.copyFrom(letter.original()))
        .setOriginalSize(letter.originalSize())
        .setPointCount(letter.pointCount())
        .setStage(letter.stage())
        .addAllPointIndexes(Arrays.stream(letter.pointIndexes()).boxed().toList())
        .build()
        .toByteArray();
  }

  static Reason reason(RejectionReason reason) {
    return Reason.valueOf(REASON_PREFIX + reason.name());
  }
}

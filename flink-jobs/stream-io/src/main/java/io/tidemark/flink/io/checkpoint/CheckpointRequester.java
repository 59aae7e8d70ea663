package io.tidemark.flink.io.checkpoint;

import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Hands records on, and asks for a checkpoint with the first one after each barrier. No state. */
final class CheckpointRequester<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {
  private static final long serialVersionUID = 1L;

  private final transient OperatorEventGateway coordinator;
  private transient boolean isRequested;

  CheckpointRequester(StreamOperatorParameters<T> parameters, OperatorEventGateway coordinator) {
    super(parameters);
    this.coordinator = coordinator;
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    output.collect(element);
    if (!isRequested) {
      isRequested = true;
      coordinator.sendEventToCoordinator(new CheckpointRequest());
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    isRequested = false;
  }
}

package io.tidemark.flink.io.checkpoint;

import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes a {@link CheckpointRequester} and the coordinator that it asks. */
public final class CheckpointRequesterFactory<T> extends AbstractStreamOperatorFactory<T>
    implements OneInputStreamOperatorFactory<T, T>, CoordinatedOperatorFactory<T> {
  private static final long serialVersionUID = 1L;

  public CheckpointRequesterFactory() {
    setChainingStrategy(ChainingStrategy.ALWAYS);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <O extends StreamOperator<T>> O createStreamOperator(
      StreamOperatorParameters<T> parameters) {
    OperatorID operator = parameters.getStreamConfig().getOperatorID();
    return (O)
        new CheckpointRequester<>(
            parameters, parameters.getOperatorEventDispatcher().getOperatorEventGateway(operator));
  }

  @Override
  public OperatorCoordinator.Provider getCoordinatorProvider(String name, OperatorID operator) {
    return new CheckpointRequestCoordinator.Provider(operator);
  }

  @Override
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
    return CheckpointRequester.class;
  }
}

package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.checkpoint.CheckpointRequestCoordinator;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.completeness.TenantLag;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

/** Makes a {@link CompletenessReporter} and the coordinator from which it requests checkpoints. */
public final class CompletenessReporterFactory extends AbstractStreamOperatorFactory<byte[]>
    implements TwoInputStreamOperatorFactory<LateRows, TenantLag, byte[]>,
        CoordinatedOperatorFactory<byte[]> {
  private static final long serialVersionUID = 1L;

  @Override
  @SuppressWarnings("unchecked")
  public <O extends StreamOperator<byte[]>> O createStreamOperator(
      StreamOperatorParameters<byte[]> parameters) {
    OperatorID operator = parameters.getStreamConfig().getOperatorID();
    return (O)
        new CompletenessReporter(
            parameters, parameters.getOperatorEventDispatcher().getOperatorEventGateway(operator));
  }

  @Override
  public OperatorCoordinator.Provider getCoordinatorProvider(String name, OperatorID operator) {
    return new CheckpointRequestCoordinator.Provider(operator);
  }

  @Override
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
    return CompletenessReporter.class;
  }
}

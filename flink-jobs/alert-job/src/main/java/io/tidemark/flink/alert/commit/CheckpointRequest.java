package io.tidemark.flink.alert.commit;

import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/** Asks for a checkpoint. */
record CheckpointRequest() implements OperatorEvent {}

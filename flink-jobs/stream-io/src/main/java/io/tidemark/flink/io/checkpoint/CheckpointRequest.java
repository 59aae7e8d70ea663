package io.tidemark.flink.io.checkpoint;

import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/** Asks for a checkpoint. */
public record CheckpointRequest() implements OperatorEvent {}

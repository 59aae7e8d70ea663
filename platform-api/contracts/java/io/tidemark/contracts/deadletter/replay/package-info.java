/**
 * Which dead letters can be put back into the points topic, and as what. The command and
 * platform-api compile the same files: both must give a letter the same batch id, by which it is
 * put back once. Plain decisions: no Kafka, no clock. Guarded by {@code ReplayPassTest} of
 * flink-jobs and {@code DeadLetterReplayRunTest} of platform-api.
 */
@NullMarked
package io.tidemark.contracts.deadletter.replay;

import org.jspecify.annotations.NullMarked;

/**
 * Puts dead letters back into the points topic, for those who sent them.
 *
 * <p>Words: a <em>replay</em> is a selection of the letters of one environment. It is
 * <em>counted</em> first, which changes nothing, then <em>executed</em>. A <em>note</em> on {@code
 * pipeline.replays.v1} says that a letter was put back, and is written in the transaction that put
 * it back; the command {@code make replay-dead-letters} reads and writes the same notes by the same
 * transactional id, so that a letter is put back once, whoever does it. Which letters can be put
 * back, and as what, is decided by {@code io.tidemark.contracts.deadletter.replay}. Replays stand
 * in PostgreSQL; one instance works on one at a time, and goes on where another stopped. Guarded by
 * {@code DeadLetterReplayRunTest}, {@code KafkaReplayLogTest}, {@code DeadLetterReplaysIT} and, on
 * the real engines, {@code DeadLetterReplayIT}.
 */
@ApplicationModule(allowedDependencies = {"kafka", "shared", "loops", "audit", "tenancy"})
@NullMarked
package io.tidemark.platform.replay;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

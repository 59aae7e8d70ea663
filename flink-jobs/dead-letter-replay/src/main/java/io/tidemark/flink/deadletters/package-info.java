/**
 * Dead letters back into the points topic. {@code ReplayPass} of the contracts decides, {@code
 * KafkaReplay} reads and writes, {@code DeadLetterReplayCommand} is the command.
 */
@NullMarked
package io.tidemark.flink.deadletters;

import org.jspecify.annotations.NullMarked;

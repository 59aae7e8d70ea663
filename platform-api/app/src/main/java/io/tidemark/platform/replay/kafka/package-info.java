/** The topics that a replay reads and writes. */
package io.tidemark.platform.replay.kafka;

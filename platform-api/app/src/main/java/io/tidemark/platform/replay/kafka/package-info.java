/** The topics that a replay reads and writes. */
@NullMarked
package io.tidemark.platform.replay.kafka;

import org.jspecify.annotations.NullMarked;

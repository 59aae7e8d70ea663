/** Replays of dead letters, as the control API shows them. */
@NullMarked
package io.tidemark.platform.replay.web;

import org.jspecify.annotations.NullMarked;

/** Replays of dead letters, as the control API shows them. */
package io.tidemark.platform.replay.web;

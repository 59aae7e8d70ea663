/**
 * Operating-system processes: start detached, find again after a restart, stop, kill, measure.
 * Knows no engine.
 */
@NullMarked
package io.tidemark.stack.process;

import org.jspecify.annotations.NullMarked;

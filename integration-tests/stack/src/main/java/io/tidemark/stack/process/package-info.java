/**
 * Operating-system processes: start detached, find again after a restart, stop, kill, measure.
 * Knows no engine.
 */
package io.tidemark.stack.process;

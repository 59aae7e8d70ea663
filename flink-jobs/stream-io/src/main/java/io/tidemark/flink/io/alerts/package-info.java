/**
 * Alert rules as the control topic says them, and what became of alerts as records of the
 * transitions topic.
 */
@NullMarked
package io.tidemark.flink.io.alerts;

import org.jspecify.annotations.NullMarked;

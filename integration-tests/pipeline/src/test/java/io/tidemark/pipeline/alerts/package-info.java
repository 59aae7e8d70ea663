/** Alerts of a running stack, against a computation from the acknowledged points. */
package io.tidemark.pipeline.alerts;

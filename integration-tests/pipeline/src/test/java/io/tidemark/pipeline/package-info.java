/**
 * End to end on the real stack: what a sender is told, what the Metrics API answers, and that both
 * agree to the point, also after components were killed. One stack, on its own ports and folder,
 * serves all classes.
 */
package io.tidemark.pipeline;

/**
 * Points added up before the shuffle, per series and minute, and the bundle that carries them to
 * one key group. The bundle is written by the combiner's inner loop and stays beside it: apart, all
 * its methods would be public. Does not know who reads a bundle.
 */
@NullMarked
package io.tidemark.flink.model.panes.combine;

import org.jspecify.annotations.NullMarked;

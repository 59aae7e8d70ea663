/**
 * Distributions of observed values on one fixed grid of buckets, whole numbers only, so that they
 * add up exactly in any order. Does not know how senders or rows write them.
 */
@NullMarked
package io.tidemark.flink.model.distribution;

import org.jspecify.annotations.NullMarked;

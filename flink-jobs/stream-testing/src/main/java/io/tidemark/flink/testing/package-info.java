/**
 * What the tests of the jobs share: words for points and batches, a MiniCluster, collecting sinks,
 * the house rules as tests. Never on the classpath of production code.
 */
@NullMarked
package io.tidemark.flink.testing;

import org.jspecify.annotations.NullMarked;

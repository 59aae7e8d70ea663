/**
 * A savepoint of every released version's state is kept in {@code src/test/resources/savepoints}
 * and must restore. {@code TakeSavepoint} makes it.
 */
@NullMarked
package io.tidemark.flink.rollup.savepoint;

import org.jspecify.annotations.NullMarked;

/** Checkpoints when something was decided, so that it is visible soon. */
@NullMarked
package io.tidemark.flink.alert.commit;

import org.jspecify.annotations.NullMarked;

/** The topics by which the lake's committer is told what to remove, and tells what it removed. */
@NullMarked
package io.tidemark.platform.deletion.kafka;

import org.jspecify.annotations.NullMarked;

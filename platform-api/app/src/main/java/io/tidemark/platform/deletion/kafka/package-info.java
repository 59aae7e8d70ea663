/** The topics by which the lake's committer is told what to remove, and tells what it removed. */
package io.tidemark.platform.deletion.kafka;

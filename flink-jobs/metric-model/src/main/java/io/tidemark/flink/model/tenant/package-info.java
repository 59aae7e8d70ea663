/**
 * Who may send: what control records say of environments, and what becomes of batches of those that
 * are deleted, or of which nobody has heard.
 */
@NullMarked
package io.tidemark.flink.model.tenant;

import org.jspecify.annotations.NullMarked;

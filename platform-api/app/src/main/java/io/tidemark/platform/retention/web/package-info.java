/** Retention over HTTP. */
@NullMarked
package io.tidemark.platform.retention.web;

import org.jspecify.annotations.NullMarked;

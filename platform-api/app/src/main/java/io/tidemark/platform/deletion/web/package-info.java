/** Removals of data over HTTP. */
@NullMarked
package io.tidemark.platform.deletion.web;

import org.jspecify.annotations.NullMarked;

/** Sizing of the control API. */
@NullMarked
package io.tidemark.platform.sizing.web;

import org.jspecify.annotations.NullMarked;

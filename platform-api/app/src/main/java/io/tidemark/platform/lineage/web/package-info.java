/** Lineage of the control API. */
@NullMarked
package io.tidemark.platform.lineage.web;

import org.jspecify.annotations.NullMarked;

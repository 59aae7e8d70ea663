/** Metrics and resources over HTTP. */
@NullMarked
package io.tidemark.platform.catalog.web;

import org.jspecify.annotations.NullMarked;

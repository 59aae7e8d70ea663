/** Dashboards over HTTP. */
@NullMarked
package io.tidemark.platform.dashboards.web;

import org.jspecify.annotations.NullMarked;

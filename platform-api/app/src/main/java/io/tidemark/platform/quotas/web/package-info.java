/** Quotas over HTTP. */
@NullMarked
package io.tidemark.platform.quotas.web;

import org.jspecify.annotations.NullMarked;

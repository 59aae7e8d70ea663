/** Receipts over HTTP. */
@NullMarked
package io.tidemark.platform.receipts.web;

import org.jspecify.annotations.NullMarked;

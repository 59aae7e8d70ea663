/** Receipts over HTTP. */
package io.tidemark.platform.receipts.web;

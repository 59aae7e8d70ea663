/** Removals of data over HTTP. */
package io.tidemark.platform.removal.web;

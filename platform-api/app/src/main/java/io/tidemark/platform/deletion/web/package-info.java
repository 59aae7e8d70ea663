/** Removals of data over HTTP. */
package io.tidemark.platform.deletion.web;

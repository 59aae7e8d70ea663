/** Metrics and resources over HTTP. */
package io.tidemark.platform.catalog.web;

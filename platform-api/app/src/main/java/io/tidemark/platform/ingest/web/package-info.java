/** OTLP over HTTP, on a port of its own. */
@NullMarked
package io.tidemark.platform.ingest.web;

import org.jspecify.annotations.NullMarked;

/** OTLP over HTTP, on a port of its own. */
package io.tidemark.platform.ingest.web;

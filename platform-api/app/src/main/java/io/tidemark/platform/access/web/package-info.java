/** Authenticates HTTP requests of the APIs before their bodies are read. */
package io.tidemark.platform.access.web;

/** Authenticates HTTP requests of the APIs before their bodies are read. */
@NullMarked
package io.tidemark.platform.access.web;

import org.jspecify.annotations.NullMarked;

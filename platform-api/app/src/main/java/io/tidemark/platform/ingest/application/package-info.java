/** The one way in for every protocol, and the questions it asks of the world. No framework. */
@NullMarked
package io.tidemark.platform.ingest.application;

import org.jspecify.annotations.NullMarked;

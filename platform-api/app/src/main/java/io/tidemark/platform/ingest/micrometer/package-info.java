/** What the gateway counts about itself. */
@NullMarked
package io.tidemark.platform.ingest.micrometer;

import org.jspecify.annotations.NullMarked;

/** What the gateway counts about itself. */
package io.tidemark.platform.ingest.micrometer;

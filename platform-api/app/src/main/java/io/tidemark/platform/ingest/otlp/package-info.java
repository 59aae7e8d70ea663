/** OTLP messages: decoding protobuf and JSON, and walking their points. */
@NullMarked
package io.tidemark.platform.ingest.otlp;

import org.jspecify.annotations.NullMarked;

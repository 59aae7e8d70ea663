/** OTLP messages: decoding protobuf and JSON, and walking their points. */
package io.tidemark.platform.ingest.otlp;

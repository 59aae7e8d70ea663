/** OTLP over gRPC. */
@NullMarked
package io.tidemark.platform.ingest.grpc;

import org.jspecify.annotations.NullMarked;

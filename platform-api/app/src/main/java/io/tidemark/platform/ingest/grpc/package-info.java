/** OTLP over gRPC. */
package io.tidemark.platform.ingest.grpc;

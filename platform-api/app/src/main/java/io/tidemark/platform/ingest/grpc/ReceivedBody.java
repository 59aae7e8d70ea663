package io.tidemark.platform.ingest.grpc;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The bytes of one gRPC message, kept as they came: the batch id is made of them. Reading stops one
 * byte past the limit, which holds after decompression.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReceivedBody(byte[] bytes) {

  /** Reads messages of at most limit + 1 bytes; the last byte only tells that there is more. */
  static MethodDescriptor.Marshaller<ReceivedBody> marshaller(int limit) {
    return new MethodDescriptor.Marshaller<>() {
      @Override
      public InputStream stream(ReceivedBody body) {
        return new ByteArrayInputStream(body.bytes());
      }

      @Override
      public ReceivedBody parse(InputStream stream) {
        try {
          return new ReceivedBody(stream.readNBytes(limit + 1));
        } catch (IOException damaged) {
          throw new UncheckedIOException(damaged);
        }
      }
    };
  }
}

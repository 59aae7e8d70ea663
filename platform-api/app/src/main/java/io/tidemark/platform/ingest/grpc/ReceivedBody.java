package io.tidemark.platform.ingest.grpc;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one gRPC message, kept as they came: the batch id is made of them. Reading stops one
 * byte past the limit, which holds after decompression.
 *
 * @param bytes null when there was no room for them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReceivedBody(byte @Nullable [] bytes) {

  private static final ReceivedBody NO_ROOM = new ReceivedBody(null);
  private static final int FIRST_BUFFER = 64 * 1024;

  /**
   * Reads messages of at most limit + 1 bytes; the last byte only tells that there is more. Each
   * part is held before the next is decompressed.
   */
  static MethodDescriptor.Marshaller<ReceivedBody> marshaller(int limit) {
    return new MethodDescriptor.Marshaller<>() {
      @Override
      public InputStream stream(ReceivedBody body) {
        return new ByteArrayInputStream(body.bytes());
      }

      @Override
      public ReceivedBody parse(InputStream stream) {
        CallMeter meter = CallMeter.ofCurrentCall();
        meter.endReceiving();
        try {
          return read(stream, limit + 1, meter);
        } catch (IOException damaged) {
          throw new UncheckedIOException(damaged);
        }
      }
    };
  }

  private static ReceivedBody read(InputStream stream, int limit, CallMeter meter)
      throws IOException {
    byte[] bytes = new byte[Math.min(limit, FIRST_BUFFER)];
    int total = 0;
    while (total < limit) {
      if (total == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(limit, 2L * bytes.length));
      }
      int read = stream.read(bytes, total, bytes.length - total);
      if (read < 0) {
        break;
      }
      if (!meter.grow(read)) {
        return NO_ROOM;
      }
      total += read;
    }
    return new ReceivedBody(total == bytes.length ? bytes : Arrays.copyOf(bytes, total));
  }
}

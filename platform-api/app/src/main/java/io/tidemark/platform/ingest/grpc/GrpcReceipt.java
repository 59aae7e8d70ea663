package io.tidemark.platform.ingest.grpc;

import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What metadata say of one call's batch: the Idempotency-Key comes with it, the identifier of the
 * receipt goes back in the trailers.
 */
final class GrpcReceipt {

  static final Metadata.Key<String> RECEIPT =
      Metadata.Key.of("tidemark-receipt", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> KEY =
      Metadata.Key.of(
          IdempotencyKey.HEADER.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<GrpcReceipt> CURRENT = Context.key("receipt");

  private final @Nullable IdempotencyKey key;
  private volatile @Nullable BatchId receipt;

  /**
   * Of a call with these headers.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code invalid_request} when the
   *     Idempotency-Key is none
   */
  GrpcReceipt(Metadata headers) {
    this.key = IdempotencyKey.of(headers.get(KEY));
  }

  static GrpcReceipt ofCurrentCall() {
    return CURRENT.get();
  }

  static @Nullable IdempotencyKey keyOfCurrentCall() {
    return CURRENT.get().key;
  }

  Context in(Context context) {
    return context.withValue(CURRENT, this);
  }

  void set(@Nullable BatchId stored) {
    receipt = stored;
  }

  /** The call, which tells the receipt at its end. */
  <Q, A> ServerCall<Q, A> telling(ServerCall<Q, A> call) {
    AtomicBoolean closed = new AtomicBoolean();
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void close(Status status, Metadata trailers) {
        // A call that is given up ends before its handler ends it.
        if (!closed.compareAndSet(false, true)) {
          return;
        }
        BatchId stored = receipt;
        if (stored != null) {
          trailers.put(RECEIPT, stored.hex());
        }
        super.close(status, trailers);
      }
    };
  }
}

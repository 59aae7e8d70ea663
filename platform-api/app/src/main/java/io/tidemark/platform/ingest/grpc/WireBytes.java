package io.tidemark.platform.ingest.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what of a call came over the wire, before decompression. */
final class WireBytes extends ServerStreamTracer {

  private static final Context.Key<AtomicLong> RECEIVED = Context.key("received");

  private final AtomicLong received = new AtomicLong();

  static ServerStreamTracer.Factory counting() {
    return new ServerStreamTracer.Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new WireBytes();
      }
    };
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(RECEIVED, received);
  }

  @Override
  public void inboundWireSize(long bytes) {
    received.addAndGet(bytes);
  }

  /** Bytes of the current call. */
  static long ofCurrentCall() {
    return RECEIVED.get().get();
  }
}

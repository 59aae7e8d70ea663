package io.tidemark.platform.ingest.grpc;

import com.google.rpc.Status;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.ReceiveRate;
import io.tidemark.platform.ingest.otlp.RpcStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of one call as they come over the wire, before decompression, and holds them,
 * and what they become, against the limit of bytes in flight. A call that finds no room, or that
 * comes too slowly, is given up.
 */
final class CallMeter extends ServerStreamTracer {

  static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  static final Status NO_ROOM =
      RpcStatus.passing(
          "The gateway is at its limit of requests held in memory. Send the same bytes again.",
          RETRY_AFTER);

  private static final Status TOO_SLOW =
      RpcStatus.passing(
          "The message came too slowly and was given up. Send smaller batches.", RETRY_AFTER);
  private static final Context.Key<CallMeter> CURRENT = Context.key("meter");

  private final Set<CallMeter> receiving;
  private final AtomicLong received = new AtomicLong();
  // The stream, and the batch that Kafka has not confirmed: bytes are in memory until both end.
  private final AtomicInteger users = new AtomicInteger(1);
  private volatile InFlightByteLimiter.@Nullable Reservation holding;
  private volatile @Nullable Consumer<Status> refusal;
  private volatile long began;

  private CallMeter(Set<CallMeter> receiving) {
    this.receiving = receiving;
  }

  /** Meters of all calls of a server. */
  static final class Factory extends ServerStreamTracer.Factory {

    private final Set<CallMeter> receiving = ConcurrentHashMap.newKeySet();

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      return new CallMeter(receiving);
    }

    /** Gives up the calls whose messages come too slowly. */
    void refuseSlow() {
      long now = System.nanoTime();
      for (CallMeter call : receiving) {
        if (ReceiveRate.MINIMUM.isMissedBy(call.received.get(), now - call.began)) {
          call.giveUp(TOO_SLOW);
        }
      }
    }
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(CURRENT, this);
  }

  static CallMeter ofCurrentCall() {
    return CURRENT.get();
  }

  /**
   * Begins to hold, for a tenant that is known now.
   *
   * @param nothing a holding of nothing yet
   * @param end ends the call, on a thread of its own choice
   */
  void begin(InFlightByteLimiter.Reservation nothing, Consumer<Status> end) {
    holding = nothing;
    refusal = end;
    began = System.nanoTime();
    receiving.add(this);
  }

  @Override
  public void inboundWireSize(long bytes) {
    received.addAndGet(bytes);
    if (!grow(bytes)) {
      giveUp(NO_ROOM);
    }
  }

  /** Bytes that came over the wire so far. */
  long received() {
    return received.get();
  }

  /** Holds so many bytes more; false when there is no room. */
  boolean grow(long bytes) {
    InFlightByteLimiter.Reservation held = holding;
    return held == null || held.grow(bytes);
  }

  /** The whole message is there. */
  void endReceiving() {
    receiving.remove(this);
  }

  private void giveUp(Status status) {
    endReceiving();
    Consumer<Status> end = refusal;
    if (end != null) {
      end.accept(status);
    }
  }

  /** Keeps what is held until {@link #release}. */
  void retain() {
    users.incrementAndGet();
  }

  /** Gives everything back when nobody else has it. */
  void release() {
    InFlightByteLimiter.Reservation held = holding;
    if (users.decrementAndGet() == 0 && held != null) {
      held.close();
    }
  }

  @Override
  public void streamClosed(io.grpc.Status status) {
    endReceiving();
    release();
  }
}

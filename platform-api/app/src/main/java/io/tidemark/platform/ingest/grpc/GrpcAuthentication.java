package io.tidemark.platform.ingest.grpc;

import com.google.rpc.Status;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.otlp.RpcStatus;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Authenticates a call by its authorization metadata, and asks for its tenant's quotas, before the
 * message is read.
 */
final class GrpcAuthentication implements ServerInterceptor {

  static final Context.Key<Caller> CALLER = Context.key("caller");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Authentication authentication;
  private final BatchReceiver gateway;
  private final InFlightByteLimiter inFlight;
  private final Executor executor;

  /**
   * Asks these.
   *
   * @param executor ends calls that are given up
   */
  GrpcAuthentication(
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      Executor executor) {
    this.authentication = authentication;
    this.gateway = gateway;
    this.inFlight = inFlight;
    this.executor = executor;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    try {
      Caller caller = authentication.authenticate(headers.get(AUTHORIZATION));
      caller.require(Permission.METRICS_WRITE);
      Optional<OverQuota> over = gateway.admit(caller, OtlpGrpcMetrics.PROTOCOL);
      if (over.isPresent()) {
        return refuse(call, RpcStatus.of(over.get()));
      }
      GrpcReceipt receipt = new GrpcReceipt(headers);
      ServerCall<Q, A> told = receipt.telling(call);
      CallMeter.ofCurrentCall()
          .begin(
              inFlight.hold(caller.organization()),
              status -> executor.execute(() -> refuse(told, status)));
      return Contexts.interceptCall(
          receipt.in(Context.current().withValue(CALLER, caller)), told, headers, next);
    } catch (ProblemException problem) {
      return refuse(call, RpcStatus.of(problem));
    }
  }

  private static <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, Status status) {
    StatusRuntimeException refusal = StatusProto.toStatusRuntimeException(status);
    Metadata trailers = refusal.getTrailers();
    call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
    return new ServerCall.Listener<>() {};
  }
}

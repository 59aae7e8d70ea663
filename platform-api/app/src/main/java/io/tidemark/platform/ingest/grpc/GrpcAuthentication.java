package io.tidemark.platform.ingest.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.otlp.RpcStatus;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;

/** Authenticates a call by its authorization metadata, before the message is read. */
final class GrpcAuthentication implements ServerInterceptor {

  static final Context.Key<Caller> CALLER = Context.key("caller");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Authentication authentication;

  GrpcAuthentication(Authentication authentication) {
    this.authentication = authentication;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    try {
      Caller caller = authentication.authenticate(headers.get(AUTHORIZATION));
      caller.require(Permission.METRICS_WRITE);
      return Contexts.interceptCall(
          Context.current().withValue(CALLER, caller), call, headers, next);
    } catch (ProblemException problem) {
      StatusRuntimeException refusal = StatusProto.toStatusRuntimeException(RpcStatus.of(problem));
      Metadata trailers = refusal.getTrailers();
      call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
      return new ServerCall.Listener<>() {};
    }
  }
}

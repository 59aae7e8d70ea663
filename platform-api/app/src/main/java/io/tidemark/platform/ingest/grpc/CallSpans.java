package io.tidemark.platform.ingest.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.tidemark.platform.shared.SpanRecorder;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records a span of every call, which ends with its status. */
final class CallSpans implements ServerInterceptor {

  private static final Map<String, Metadata.Key<String>> HEADERS =
      Stream.of("traceparent", "tracestate")
          .collect(
              Collectors.toMap(
                  name -> name, name -> Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));

  private final SpanRecorder spans;

  CallSpans(SpanRecorder spans) {
    this.spans = spans;
  }

  private static @Nullable String header(Metadata headers, String name) {
    Metadata.Key<String> key = HEADERS.get(name);
    return key == null ? null : headers.get(key);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Span span =
        spans.received(call.getMethodDescriptor().getFullMethodName(), headers, CallSpans::header);
    span.tag("rpc.system", "grpc");
    ServerCall<Q, A> ending =
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void close(Status status, Metadata trailers) {
            end(span, status);
            super.close(status, trailers);
          }
        };
    ServerCall.Listener<Q> listener;
    try (Tracer.SpanInScope scope = spans.in(span)) {
      listener = next.startCall(ending, headers);
    }
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onHalfClose() {
        try (Tracer.SpanInScope scope = spans.in(span)) {
          super.onHalfClose();
        }
      }

      @Override
      public void onCancel() {
        end(span, Status.CANCELLED);
        super.onCancel();
      }
    };
  }

  /** What comes after the first end changes nothing. */
  private static void end(Span span, Status status) {
    span.tag("rpc.grpc.status_code", status.getCode().value());
    if (!status.isOk()) {
      SpanRecorder.fail(span, status.getCode().name());
    }
    span.end();
  }
}

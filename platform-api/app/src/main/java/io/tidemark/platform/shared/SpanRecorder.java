package io.tidemark.platform.shared;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelSpan;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.trace.StatusCode;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Records spans of requests and of what is done for them. Names and attributes are from closed
 * lists, or identifiers that Tidemark gave: a span holds nothing that a tenant wrote.
 */
public final class SpanRecorder {

  /** Records nothing, and costs nothing. */
  public static final SpanRecorder NONE = new SpanRecorder(Tracer.NOOP, Propagator.NOOP);

  private final Tracer tracer;
  private final Propagator propagator;

  /** Records with these. */
  public SpanRecorder(Tracer tracer, Propagator propagator) {
    this.tracer = tracer;
    this.propagator = propagator;
  }

  public boolean isOn() {
    return tracer != Tracer.NOOP;
  }

  /**
   * Begins the span of a request that came in; it continues the trace of a sender that names one.
   * The caller ends it.
   *
   * @param header reads a header of the request
   */
  public <C> Span received(String name, C request, Propagator.Getter<C> header) {
    return propagator.extract(request, header).kind(Span.Kind.SERVER).name(name).start();
  }

  /** Makes a span the current one of this thread, until it is closed. */
  public Tracer.SpanInScope in(Span span) {
    return tracer.withSpan(span);
  }

  /**
   * Begins the span of a part of the current request. The caller ends it. {@link Span#NOOP} when
   * that request is not recorded, so that work in the background makes no traces of its own.
   */
  public Span begin(String name) {
    Span request = isOn() ? tracer.currentSpan() : null;
    return request == null || !Boolean.TRUE.equals(request.context().sampled())
        ? Span.NOOP
        : tracer
            .spanBuilder()
            .setParent(request.context())
            .name(name)
            .kind(Span.Kind.CLIENT)
            .start();
  }

  /**
   * Does a part of the current request in a span.
   *
   * @param key of an attribute of the span
   */
  public <T> T record(String name, String key, String value, Supplier<T> work) {
    Span span = begin(name);
    if (span == Span.NOOP) {
      return work.get();
    }
    span.tag(key, value);
    try (Tracer.SpanInScope scope = in(span)) {
      return work.get();
    } catch (RuntimeException failure) {
      fail(span, failure);
      throw failure;
    } finally {
      span.end();
    }
  }

  /** The same work for another thread, as a part of the request of this thread. */
  public <T> Callable<T> carried(Callable<T> work) {
    return isOn() ? tracer.currentTraceContext().wrap(work) : work;
  }

  /** Marks a span as failed. Messages may quote the request, so only the kind of failure stays. */
  public static void fail(Span span, Throwable failure) {
    fail(
        span,
        failure instanceof ProblemException problem
            ? problem.code().wireName()
            : failure.getClass().getSimpleName());
  }

  /** Marks a span as failed. */
  public static void fail(Span span, String kind) {
    if (span != Span.NOOP) {
      span.tag("error.type", kind);
      OtelSpan.toOtel(span).setStatus(StatusCode.ERROR);
    }
  }
}

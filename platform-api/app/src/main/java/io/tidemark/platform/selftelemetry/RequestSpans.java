package io.tidemark.platform.selftelemetry;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.SpanRecorder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * Records a span of every request of the APIs and pages, named by its route. Paths, parameters and
 * messages of errors stay away: they hold what a tenant wrote.
 */
final class RequestSpans
    extends PropagatingReceiverTracingObservationHandler<ServerRequestObservationContext> {

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  private static final Set<String> PROBES = Set.of("/livez", "/readyz");

  RequestSpans(Tracer tracer, Propagator propagator) {
    super(tracer, propagator);
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return context instanceof ServerRequestObservationContext request
        && !PROBES.contains(servlet(request).getRequestURI());
  }

  /** The route is known only now. */
  @Override
  public void onStop(ServerRequestObservationContext context) {
    String route = context.getPathPattern();
    context.setContextualName(route == null ? method(context) : method(context) + " " + route);
    super.onStop(context);
  }

  /** Spring makes each context with its request. */
  private static HttpServletRequest servlet(ServerRequestObservationContext context) {
    return Objects.requireNonNull(context.getCarrier());
  }

  private static String method(ServerRequestObservationContext context) {
    String method = servlet(context).getMethod();
    return METHODS.contains(method) ? method : "OTHER";
  }

  @Override
  public void onError(ServerRequestObservationContext context) {
    // The status says it; the message may quote the request.
  }

  @Override
  public void tagSpan(ServerRequestObservationContext context, Span span) {
    HttpServletRequest request = servlet(context);
    span.tag("http.request.method", method(context));
    if (context.getPathPattern() != null) {
      span.tag("http.route", context.getPathPattern());
    }
    tagStatus(context.getResponse(), span);
    // A key has one organisation; whose data a person asks for is not looked up for a span.
    if (request.getAttribute(CurrentCaller.class.getName()) instanceof CurrentCaller callers
        && !callers.identity().isPerson()) {
      Caller caller = callers.current();
      span.tag("tidemark.organization.id", caller.organization().value());
      if (caller.environment() != null) {
        span.tag("tidemark.environment.id", caller.environment().value());
      }
    }
  }

  private static void tagStatus(@Nullable HttpServletResponse response, Span span) {
    if (response != null) {
      int status = response.getStatus();
      span.tag("http.response.status_code", status);
      if (status >= 500) {
        SpanRecorder.fail(span, Integer.toString(status));
      }
    }
  }
}

package io.tidemark.platform.ingest.web;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.tidemark.platform.shared.SpanRecorder;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Records a span of every request of a door, which ends with its answer. */
final class TracedDoor extends GenericServlet {

  private static final long serialVersionUID = 1L;

  private final transient Servlet door;
  private final transient SpanRecorder spans;
  private final String route;

  /**
   * A door.
   *
   * @param route path of the door
   */
  TracedDoor(Servlet door, String route, SpanRecorder spans) {
    this.door = door;
    this.route = route;
    this.spans = spans;
  }

  @Override
  public void service(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    HttpServletRequest exchange = (HttpServletRequest) request;
    // Other methods are refused, and their names are a stranger's.
    String method = "POST".equals(exchange.getMethod()) ? "POST" : "OTHER";
    Span span = spans.received(method + " " + route, exchange, HttpServletRequest::getHeader);
    span.tag("http.request.method", method).tag("http.route", route);
    boolean isPending = false;
    try (Tracer.SpanInScope scope = spans.in(span)) {
      door.service(request, response);
      isPending = request.isAsyncStarted();
      if (isPending) {
        request.getAsyncContext().addListener(new End(span), request, response);
      }
    } finally {
      if (!isPending) {
        end(span, response);
      }
    }
  }

  private static void end(Span span, ServletResponse response) {
    int status = ((HttpServletResponse) response).getStatus();
    span.tag("http.response.status_code", status);
    if (status >= 500) {
      SpanRecorder.fail(span, Integer.toString(status));
    }
    span.end();
  }

  private record End(Span span) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
      end(span, event.getSuppliedResponse());
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      SpanRecorder.fail(span, "timeout");
    }

    @Override
    public void onError(AsyncEvent event) {
      SpanRecorder.fail(span, event.getThrowable());
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      // A door starts once.
    }
  }
}

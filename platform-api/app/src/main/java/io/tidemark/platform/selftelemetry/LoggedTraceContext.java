package io.tidemark.platform.selftelemetry;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Lines of the log that are written for a request name its trace. */
final class LoggedTraceContext extends OtelCurrentTraceContext {

  /** As application.yaml names it in the pattern of log lines. */
  static final String KEY = "trace_id";

  @Override
  public Scope newScope(@Nullable TraceContext context) {
    Scope scope = super.newScope(context);
    String before = MDC.get(KEY);
    set(context == null ? null : context.traceId());
    return () -> {
      scope.close();
      set(before);
    };
  }

  private static void set(@Nullable String trace) {
    if (trace == null) {
      MDC.remove(KEY);
    } else {
      MDC.put(KEY, trace);
    }
  }
}

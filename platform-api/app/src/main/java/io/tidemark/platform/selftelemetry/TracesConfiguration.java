package io.tidemark.platform.selftelemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.tidemark.platform.shared.SpanRecorder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records spans only when there is a collector. */
@Configuration(proxyBeanMethods = false)
class TracesConfiguration {

  private static final String TRACED = "!'${tidemark.traces.endpoint:}'.isEmpty()";

  @Bean(destroyMethod = "close")
  @ConditionalOnExpression(TRACED)
  SpanReporter spanReporter(
      TracesProperties properties, ProcessIdentity process, MeterRegistry meters) {
    return new SpanReporter(properties, process, meters);
  }

  @Bean
  @ConditionalOnExpression(TRACED)
  OtelTracer tracer(SpanReporter reporter) {
    return new OtelTracer(reporter.tracer(), new LoggedTraceContext(), event -> {});
  }

  @Bean
  @ConditionalOnExpression(TRACED)
  OtelPropagator propagator(SpanReporter reporter) {
    return new OtelPropagator(
        ContextPropagators.create(W3CTraceContextPropagator.getInstance()), reporter.tracer());
  }

  @Bean
  @ConditionalOnExpression(TRACED)
  RequestSpans requestSpans(OtelTracer tracer, OtelPropagator propagator) {
    return new RequestSpans(tracer, propagator);
  }

  @Bean
  SpanRecorder spanRecorder(
      ObjectProvider<OtelTracer> tracer, ObjectProvider<OtelPropagator> propagator) {
    OtelTracer recording = tracer.getIfAvailable();
    return recording == null
        ? SpanRecorder.NONE
        : new SpanRecorder(recording, propagator.getObject());
  }
}

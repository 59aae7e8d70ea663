package io.tidemark.platform.selftelemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends spans to a collector from a thread of its own. Requests never wait for it: what finds no
 * room, or is not taken, is counted and forgotten.
 */
final class SpanReporter implements AutoCloseable {

  /** Spans that wait for the collector, about 1 kB each. */
  static final int MAX_WAITING = 2_048;

  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int SECONDS_TO_FINISH = 2;

  private final SdkTracerProvider provider;

  SpanReporter(TracesProperties properties, ProcessIdentity process, MeterRegistry meters) {
    this(
        OtlpHttpSpanExporter.builder()
            .setEndpoint(properties.endpoint())
            .setHeaders(properties::headersByName)
            .setTimeout(properties.timeout())
            .setCompression("gzip")
            .setMeterProvider(MeterProvider.noop())
            .build(),
        properties,
        process,
        meters);
  }

  SpanReporter(
      SpanExporter exporter,
      TracesProperties properties,
      ProcessIdentity process,
      MeterRegistry meters) {
    Outlet outlet = new Outlet(exporter, meters);
    AttributesBuilder resource = Attributes.builder();
    process.attributes().forEach(resource::put);
    this.provider =
        SdkTracerProvider.builder()
            .setResource(Resource.create(resource.build()))
            .setSampler(sampler(properties.ratio()))
            .addSpanProcessor(
                new Inlet(
                    BatchSpanProcessor.builder(outlet)
                        // Larger than what is let in, so that it never drops by itself.
                        .setMaxQueueSize(2 * MAX_WAITING)
                        .setScheduleDelay(PERIOD)
                        .setExporterTimeout(properties.timeout())
                        .setMeterProvider(MeterProvider.noop())
                        .build(),
                    outlet))
            .build();
  }

  /**
   * A sender's wish to be recorded does not go beyond the ratio, or any of them could make every
   * request cost a span; its wish not to be recorded is kept.
   */
  private static Sampler sampler(double ratio) {
    Sampler some = Sampler.traceIdRatioBased(ratio);
    return Sampler.parentBasedBuilder(some).setRemoteParentSampled(new SenderSampler(some)).build();
  }

  Tracer tracer() {
    return provider.get("io.tidemark.platform");
  }

  /** Sends what waits, but holds the stop of the process only for a moment. */
  @Override
  public void close() {
    provider.shutdown().join(SECONDS_TO_FINISH, TimeUnit.SECONDS);
  }

  /** Decides by the trace's identifier alone, as the one who began the trace may have. */
  private record SenderSampler(Sampler some) implements Sampler {

    @Override
    public SamplingResult shouldSample(
        Context parent,
        String trace,
        String name,
        SpanKind kind,
        Attributes attributes,
        List<LinkData> links) {
      return some.shouldSample(parent, trace, name, kind, attributes, links);
    }

    @Override
    public String getDescription() {
      return "Sender{" + some.getDescription() + "}";
    }
  }

  /** Lets spans in while there is room. */
  private record Inlet(SpanProcessor batches, Outlet outlet) implements SpanProcessor {

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
      // Of interest when it ends.
    }

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      if (span.getSpanContext().isSampled() && outlet.hasRoom()) {
        batches.onEnd(span);
      }
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }

    @Override
    public CompletableResultCode shutdown() {
      return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
      return batches.forceFlush();
    }
  }

  /** Counts what became of spans. */
  private static final class Outlet implements SpanExporter {

    private final SpanExporter exporter;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter sent;
    private final Counter withoutRoom;
    private final Counter notTaken;

    Outlet(SpanExporter exporter, MeterRegistry meters) {
      this.exporter = exporter;
      this.sent = counter(meters, "sent");
      this.withoutRoom = counter(meters, "no_room");
      this.notTaken = counter(meters, "not_taken");
    }

    private static Counter counter(MeterRegistry meters, String outcome) {
      return Counter.builder("tidemark.traces.spans")
          .description("Spans of requests, by what became of them")
          .baseUnit("spans")
          .tag("outcome", outcome)
          .register(meters);
    }

    boolean hasRoom() {
      if (waiting.incrementAndGet() > MAX_WAITING) {
        waiting.decrementAndGet();
        withoutRoom.increment();
        return false;
      }
      return true;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      int number = spans.size();
      waiting.addAndGet(-number);
      CompletableResultCode result = exporter.export(spans);
      return result.whenComplete(() -> (result.isSuccess() ? sent : notTaken).increment(number));
    }

    @Override
    public CompletableResultCode flush() {
      return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return exporter.shutdown();
    }
  }
}

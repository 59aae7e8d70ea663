package io.tidemark.platform.selftelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.tidemark.platform.testing.InterruptibleDelay;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpanReporterTest {

  private static final ProcessIdentity PROCESS = new ProcessIdentity("one", "1");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private static TracesProperties settings(double ratio) {
    return new TracesProperties("http://127.0.0.1:1/v1/traces", ratio, "", Duration.ofMillis(100));
  }

  private double spans(String outcome) {
    return meters.get("tidemark.traces.spans").tag("outcome", outcome).counter().count();
  }

  private void await(String outcome, double least) {
    double unused =
        InterruptibleDelay.until(
            outcome, PATIENCE, () -> Optional.of(spans(outcome)), now -> now >= least);
  }

  @Test
  void spansThatNoCollectorTakesAreCounted() {
    try (SpanReporter reporter = new SpanReporter(settings(1), PROCESS, meters)) {
      for (int i = 0; i < 3; i++) {
        reporter.tracer().spanBuilder("request").startSpan().end();
      }
      await("not_taken", 3);
    }
    assertThat(spans("sent")).isZero();
  }

  @Test
  void aCollectorThatHangsHoldsNoRequestAndWhatFindsNoRoomIsCounted() {
    SpanExporter hanging = new Hanging();
    try (SpanReporter reporter = new SpanReporter(hanging, settings(1), PROCESS, meters)) {
      long begin = System.nanoTime();
      for (int i = 0; i < 10 * SpanReporter.MAX_WAITING; i++) {
        reporter.tracer().spanBuilder("request").startSpan().end();
      }
      // The thread of reports takes at most some batches meanwhile, each after a timeout.
      assertThat(spans("no_room")).isGreaterThan(4.0 * SpanReporter.MAX_WAITING);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(PATIENCE);
    }
  }

  @Test
  void aSendersWishDoesNotGoBeyondTheRatio() {
    SpanContext sender =
        SpanContext.createFromRemoteParent(
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "00f067aa0ba902b7",
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Context parent = Context.root().with(io.opentelemetry.api.trace.Span.wrap(sender));
    try (SpanReporter none = new SpanReporter(settings(0), PROCESS, meters);
        SpanReporter all = new SpanReporter(settings(1), PROCESS, meters)) {
      assertThat(isSampled(none, parent)).isFalse();
      assertThat(isSampled(all, parent)).isTrue();
    }
  }

  private static boolean isSampled(SpanReporter reporter, Context parent) {
    return reporter
        .tracer()
        .spanBuilder("request")
        .setParent(parent)
        .startSpan()
        .getSpanContext()
        .isSampled();
  }

  @Test
  void settingsAreChecked() {
    assertThat(new TracesProperties("", 0.01, "", Duration.ofSeconds(10)).faults()).isEmpty();
    assertThat(new TracesProperties("ftp://x", 2, "none", Duration.ZERO).faults()).hasSize(4);
    assertThat(new TracesProperties("", Double.NaN, "", Duration.ofSeconds(1)).faults()).hasSize(1);
    TracesProperties set =
        new TracesProperties(
            "http://x/v1/traces", 1, "Authorization=Basic YQ==,X-Scope=a", Duration.ofSeconds(1));
    assertThat(set.faults()).isEmpty();
    assertThat(set.headersByName())
        .containsEntry("Authorization", "Basic YQ==")
        .containsEntry("X-Scope", "a");
    assertThat(set.toString()).doesNotContain("YQ==");
  }

  /** Never answers. */
  private static final class Hanging implements SpanExporter {

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return new CompletableResultCode();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}

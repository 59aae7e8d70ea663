package io.tidemark.platform.ingest.kafka;

import io.micrometer.tracing.Span;
import io.tidemark.platform.ingest.application.BatchPublisher;
import io.tidemark.platform.shared.SpanRecorder;
import java.util.concurrent.CompletionStage;

/** Records a span from handing a batch to Kafka to its confirmation, where its request has one. */
public final class TracedPointsTopic implements BatchPublisher {

  private final BatchPublisher topic;
  private final SpanRecorder spans;

  public TracedPointsTopic(BatchPublisher topic, SpanRecorder spans) {
    this.topic = topic;
    this.spans = spans;
  }

  @Override
  public CompletionStage<Void> publish(Batch batch) {
    Span span = spans.begin("kafka produce");
    if (span == Span.NOOP) {
      return topic.publish(batch);
    }
    span.tag("messaging.system", "kafka")
        .tag("tidemark.organization.id", batch.organization().value())
        .tag("tidemark.environment.id", batch.environment().value());
    return topic
        .publish(batch)
        .whenComplete(
            (stored, failure) -> {
              if (failure != null) {
                SpanRecorder.fail(span, failure);
              }
              span.end();
            });
  }
}

package io.tidemark.platform.receipts.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.platform.receipts.DeadLetterDescription.Sample;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Shows the points that a letter is about, with what stands around them. */
final class DeadLetterSampler {

  static final int MAX_POINTS = 10;
  static final int MAX_CHARACTERS = 16_384;
  private static final int MAX_BYTES = 1_024;

  private final Set<Integer> wanted;
  private int place;

  private DeadLetterSampler(Set<Integer> wanted) {
    this.wanted = wanted;
  }

  static Sample sample(DeadLetter letter) {
    boolean isWhole = letter.getOriginal().size() == letter.getOriginalSize();
    if (isWhole) {
      try {
        return points(letter, ExportMetricsServiceRequest.parseFrom(letter.getOriginal()));
      } catch (InvalidProtocolBufferException notOtlp) {
        // Shown as bytes.
      }
    }
    int shown = Math.min(MAX_BYTES, letter.getOriginal().size());
    return new Sample(
        "hex",
        HexFormat.of().formatHex(letter.getOriginal().substring(0, shown).toByteArray()),
        shown < letter.getOriginalSize());
  }

  private static Sample points(DeadLetter letter, ExportMetricsServiceRequest request)
      throws InvalidProtocolBufferException {
    // Of the roll-up the request was rebuilt from the one point that is named.
    boolean isRebuilt = letter.getStage().equals("roll-up");
    List<Integer> named = letter.getPointIndexesList();
    boolean isAll = named.isEmpty() || isRebuilt;
    Set<Integer> wanted = new HashSet<>();
    if (isAll) {
      for (int index = 0; index < MAX_POINTS; index++) {
        wanted.add(index);
      }
    } else {
      wanted.addAll(named.stream().limit(MAX_POINTS).collect(Collectors.toSet()));
    }
    DeadLetterSampler sampler = new DeadLetterSampler(wanted);
    String text = JsonFormat.printer().print(sampler.only(request));
    boolean isCut =
        text.length() > MAX_CHARACTERS
            || (isAll ? sampler.place > MAX_POINTS : named.size() > MAX_POINTS);
    return new Sample(
        "otlp_json", text.substring(0, Math.min(text.length(), MAX_CHARACTERS)), isCut);
  }

  private ExportMetricsServiceRequest only(ExportMetricsServiceRequest request) {
    ExportMetricsServiceRequest.Builder kept = ExportMetricsServiceRequest.newBuilder();
    for (ResourceMetrics resource : request.getResourceMetricsList()) {
      ResourceMetrics.Builder ofResource = resource.toBuilder().clearScopeMetrics();
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        ScopeMetrics.Builder ofScope = scope.toBuilder().clearMetrics();
        scope.getMetricsList().forEach(metric -> keep(metric, ofScope));
        if (ofScope.getMetricsCount() > 0) {
          ofResource.addScopeMetrics(ofScope);
        }
      }
      if (ofResource.getScopeMetricsCount() > 0) {
        kept.addResourceMetrics(ofResource);
      }
    }
    return kept.build();
  }

  private void keep(Metric metric, ScopeMetrics.Builder scope) {
    Metric.Builder kept = metric.toBuilder();
    int before = place;
    switch (metric.getDataCase()) {
      case GAUGE ->
          kept.setGauge(
              metric.getGauge().toBuilder()
                  .clearDataPoints()
                  .addAllDataPoints(wanted(metric.getGauge().getDataPointsList())));
      case SUM ->
          kept.setSum(
              metric.getSum().toBuilder()
                  .clearDataPoints()
                  .addAllDataPoints(wanted(metric.getSum().getDataPointsList())));
      case HISTOGRAM ->
          kept.setHistogram(
              metric.getHistogram().toBuilder()
                  .clearDataPoints()
                  .addAllDataPoints(wanted(metric.getHistogram().getDataPointsList())));
      case EXPONENTIAL_HISTOGRAM ->
          kept.setExponentialHistogram(
              metric.getExponentialHistogram().toBuilder()
                  .clearDataPoints()
                  .addAllDataPoints(wanted(metric.getExponentialHistogram().getDataPointsList())));
      case SUMMARY ->
          kept.setSummary(
              metric.getSummary().toBuilder()
                  .clearDataPoints()
                  .addAllDataPoints(wanted(metric.getSummary().getDataPointsList())));
      default -> {
        // Without points there is nothing to show.
      }
    }
    boolean isConcerned = false;
    for (int index = before; index < place; index++) {
      isConcerned |= wanted.contains(index);
    }
    if (isConcerned) {
      scope.addMetrics(kept);
    }
  }

  private <T> List<T> wanted(List<T> points) {
    int first = place;
    place += points.size();
    return java.util.stream.IntStream.range(0, points.size())
        .filter(index -> wanted.contains(first + index))
        .mapToObj(points::get)
        .toList();
  }
}

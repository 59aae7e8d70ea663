package io.tidemark.flink.rollup.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.io.usage.IncrementBundle;
import io.tidemark.flink.model.usage.MeteredUnits;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** The side output of every operator that counts what is billed; in bundles of an environment. */
public final class IncrementOutput {

  public static final OutputTag<EncodedIncrements> TAG =
      new OutputTag<>("increments", TypeInformation.of(EncodedIncrements.class));

  private static final long[] NO_SERIES = new long[0];

  private final Output<?> output;
  private final Map<String, IncrementBundle> bundles = new HashMap<>();

  IncrementOutput(Output<?> output) {
    this.output = output;
  }

  void add(String environment, byte[] subject, long hourUnixMs, MeteredUnits units) {
    add(environment, subject, hourUnixMs, units, NO_SERIES, 0);
  }

  /**
   * With series that rows show; as several increments when they are many.
   *
   * @param series ids, two numbers each
   * @param shown how many
   */
  void add(
      String environment,
      byte[] subject,
      long hourUnixMs,
      MeteredUnits units,
      long[] series,
      int shown) {
    IncrementBundle bundle = bundles.computeIfAbsent(environment, unknown -> new IncrementBundle());
    MeteredUnits left = units;
    int from = 0;
    do {
      if (bundle.isFull()) {
        send(environment, bundle);
      }
      int to = Math.min(shown, from + IncrementBundle.MAX_SERIES);
      bundle.add(subject, hourUnixMs, left, series, from, to);
      left = MeteredUnits.NONE;
      from = to;
    } while (from < shown);
  }

  /** Nothing waits afterwards. */
  void flush() {
    bundles.forEach(this::send);
    bundles.clear();
  }

  private void send(String environment, IncrementBundle bundle) {
    output.collect(
        TAG, new StreamRecord<>(new EncodedIncrements(environment.getBytes(UTF_8), bundle.take())));
  }
}

package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.usage.EncodedIncrement;
import io.tidemark.flink.io.usage.IncrementCodec;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** The side output of every operator that counts what is billed. */
public final class IncrementOutput {

  public static final OutputTag<EncodedIncrement> TAG =
      new OutputTag<>("increments", TypeInformation.of(EncodedIncrement.class));

  private final Output<?> output;

  IncrementOutput(Output<?> output) {
    this.output = output;
  }

  void tell(UsageHour hour, MeteredUnits units) {
    output.collect(TAG, new StreamRecord<>(IncrementCodec.encode(hour, units)));
  }

  /**
   * With series that rows show; in several records when they are many.
   *
   * @param series ids, two numbers each
   */
  void tell(UsageHour hour, MeteredUnits units, long[] series) {
    int shown = series.length / 2;
    int from = 0;
    MeteredUnits left = units;
    do {
      int to = Math.min(shown, from + IncrementCodec.MOST_SERIES);
      output.collect(TAG, new StreamRecord<>(IncrementCodec.encode(hour, left, series, from, to)));
      left = MeteredUnits.NONE;
      from = to;
    } while (from < shown);
  }
}

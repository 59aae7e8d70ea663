package io.tidemark.flink.io.progress;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import java.util.OptionalLong;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;

/** The watermarks topic as a source of records without keys. */
public final class ProgressSource {

  private ProgressSource() {}

  /** From the beginning; a job restored from a checkpoint goes on where the checkpoint was. */
  public static KafkaSource<ControlRecord> of(Brokers brokers, String topic, String group) {
    return ControlSource.of(brokers, topic, group);
  }

  /** The watermark is what was stated last. */
  public static WatermarkStrategy<ControlRecord> watermarks() {
    return WatermarkStrategy.forGenerator(context -> new Stated());
  }

  private static final class Stated implements WatermarkGenerator<ControlRecord> {
    @Override
    public void onEvent(ControlRecord record, long timestamp, WatermarkOutput output) {
      OptionalLong until = ProgressRecord.completeUntil(record.value());
      if (until.isPresent() && until.getAsLong() > 0) {
        output.emitWatermark(new Watermark(until.getAsLong() - 1));
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      // Only statements do.
    }
  }
}

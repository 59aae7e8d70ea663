package io.tidemark.flink.rollup;

import io.tidemark.flink.io.points.PointsRecord;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/** Event time of test input that ends. */
final class TestWatermarks {

  private TestWatermarks() {}

  /** As the production strategy, but without waiting for the next periodic watermark. */
  static WatermarkStrategy<PointsRecord> afterEveryRecord() {
    long outOfOrderness = RollupRules.DEFAULT.outOfOrderness().toMillis();
    return WatermarkStrategy.<PointsRecord>forGenerator(
            context ->
                new WatermarkGenerator<>() {
                  @Override
                  public void onEvent(PointsRecord record, long time, WatermarkOutput output) {
                    output.emitWatermark(new Watermark(time - outOfOrderness - 1));
                  }

                  @Override
                  public void onPeriodicEmit(WatermarkOutput output) {}
                })
        .withTimestampAssigner((record, previous) -> record.eventTimeMs());
  }
}

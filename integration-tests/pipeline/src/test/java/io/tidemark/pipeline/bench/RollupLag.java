package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.RunningStack;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How far the rollup job is behind the end of its topic. */
final class RollupLag {
  private RollupLag() {}

  /** Batches of points that it has not committed; it commits with each checkpoint. */
  static long batches(RunningStack.Started stack) throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", stack.settings().ports().address("kafka")))) {
      Map<TopicPartition, OffsetAndMetadata> read =
          admin
              .listConsumerGroupOffsets(PipelineCost.ROLLUP_GROUP)
              .partitionsToOffsetAndMetadata()
              .get(10, TimeUnit.SECONDS);
      long lag = 0;
      for (Map.Entry<TopicPartition, Long> end : PipelineCost.pointsEnds(admin).entrySet()) {
        OffsetAndMetadata committed = read.get(end.getKey());
        lag += end.getValue() - (committed == null ? 0 : committed.offset());
      }
      return lag;
    }
  }
}

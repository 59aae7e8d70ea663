package io.tidemark.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.Test;

class PipelineConsumersTest {

  /** It keeps a record before it commits it, and never sees one of an aborted transaction. */
  @Test
  void aMemberCommitsNothingByItselfAndReadsCommittedRecordsFromTheBeginning() {
    Map<String, Object> settings =
        PipelineConsumers.memberSettings("broker:9092", "client", "group", 7);
    assertThat(settings)
        .containsEntry(ConsumerConfig.GROUP_ID_CONFIG, "group")
        .containsEntry(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false)
        .containsEntry(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
        .containsEntry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest")
        .containsEntry(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false)
        .containsEntry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 7);
  }
}

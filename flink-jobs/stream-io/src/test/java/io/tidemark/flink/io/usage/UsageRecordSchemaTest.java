package io.tidemark.flink.io.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.usage.v1.UsageRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class UsageRecordSchemaTest {

  @Test
  void aRecordIsKeyedByItsEnvironment() throws Exception {
    UsageRecord record =
        UsageRecord.newBuilder()
            .setRecordId("record-1")
            .setOrganizationId("org-a")
            .setEnvironmentId("env-a")
            .build();

    ProducerRecord<byte[], byte[]> written =
        new UsageRecordSchema<UsageRecord>("usage", one -> one).serialize(record, null, null);

    assertEquals("usage", written.topic());
    assertEquals("org-a/env-a", new String(written.key(), UTF_8));
    assertEquals(record, UsageRecord.parseFrom(written.value()));
  }
}

package io.tidemark.platform.deletion.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.pipeline.v1.RemovalReport;
import io.tidemark.contracts.pipeline.v1.RemovedRows;
import io.tidemark.platform.deletion.DeletionProperties;
import io.tidemark.platform.deletion.DeletionReportRecorder;
import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Reads what the lake's committer removed. A place in the topic is committed after the database has
 * what was read before it; a report that comes twice changes nothing.
 */
@Component
@ConditionalOnRole(value = ProcessRole.CONTROL, orInSecondRegion = true)
class DeletionReportConsumer implements SmartLifecycle {

  static final String TOPIC = "pipeline.removals.v1";

  private static final Logger LOG = LoggerFactory.getLogger(DeletionReportConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int MAX_AT_ONCE = 500;

  private final DeletionProperties properties;
  private final DeletionReportRecorder recording;
  private final KafkaConsumerLoop loop;

  DeletionReportConsumer(DeletionProperties properties, DeletionReportRecorder recording) {
    this.properties = properties;
    this.recording = recording;
    this.loop = new KafkaConsumerLoop("deletion-reports", this::open, this::follow, () -> {});
  }

  @Override
  public void start() {
    if (properties.kafka().isEmpty()) {
      return;
    }
    loop.start();
  }

  @Override
  public void stop() {
    loop.stop();
  }

  @Override
  public boolean isRunning() {
    return loop.isRunning();
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    consumer.subscribe(List.of(TOPIC));
    while (!loop.isStopping()) {
      var records = consumer.poll(POLL);
      records.forEach(this::read);
      if (!records.isEmpty()) {
        consumer.commitSync();
      }
      loop.works();
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    RemovalReport report;
    TenantId organization;
    try {
      report = RemovalReport.parseFrom(record.value());
      organization = new TenantId(report.getOrganizationId());
    } catch (InvalidProtocolBufferException | RuntimeException notOfTheContract) {
      LOG.warn("Not a report of a removal: {} {}", record.topic(), record.offset());
      return;
    }
    switch (report.getToldCase()) {
      case REMOVED -> {
        RemovedRows removed = report.getRemoved();
        recording.removed(
            organization,
            report.getRemovalId(),
            report.getTable(),
            removed.getSnapshotId(),
            removed.getRows(),
            Instant.ofEpochMilli(removed.getHeldUntilUnixMs()));
      }
      case NOTHING_LEFT ->
          recording.nothingLeft(
              organization,
              report.getRemovalId(),
              report.getTable(),
              Instant.ofEpochMilli(report.getNothingLeft().getLookedAtUnixMs()));
      case TOLD_NOT_SET -> LOG.warn("A report without content: {}", record.offset());
    }
  }

  private Consumer<byte[], byte[]> open() {
    return PipelineConsumers.member(
        properties.kafka(), "platform-api-removal", properties.group(), MAX_AT_ONCE);
  }
}

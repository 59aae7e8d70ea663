package io.tidemark.platform.billing.kafka;

import io.tidemark.platform.billing.BillingProperties;
import io.tidemark.platform.billing.MeteredRecord;
import io.tidemark.platform.billing.UsageLedger;
import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Reads usage records and has them entered into the ledger. A place is committed after the database
 * has what was before it; records that come twice change nothing. The instances share the
 * partitions.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class UsageRecordConsumer implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(UsageRecordConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int MAX_AT_ONCE = 2_000;

  private final BillingProperties properties;
  private final java.util.function.Consumer<List<MeteredRecord>> ledger;
  private final KafkaConsumerLoop loop;

  @Autowired
  UsageRecordConsumer(BillingProperties properties, UsageLedger ledger) {
    this(properties, () -> open(properties), ledger::record);
  }

  UsageRecordConsumer(
      BillingProperties properties,
      Supplier<Consumer<byte[], byte[]>> consumers,
      java.util.function.Consumer<List<MeteredRecord>> ledger) {
    this.properties = properties;
    this.ledger = ledger;
    this.loop = new KafkaConsumerLoop("usage-ledger", consumers, this::read, () -> {});
  }

  @Override
  public void start() {
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

  private void read(Consumer<byte[], byte[]> consumer) {
    consumer.subscribe(List.of(properties.usageTopic()));
    while (!loop.isStopping()) {
      pass(consumer);
      loop.works();
    }
  }

  private void pass(Consumer<byte[], byte[]> opened) {
    ConsumerRecords<byte[], byte[]> records = opened.poll(POLL);
    if (records.isEmpty()) {
      return;
    }
    List<MeteredRecord> read = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        read.add(UsageRecordReader.read(record.value()));
      } catch (UsageRecordReader.UnreadableRecordException unreadable) {
        // Stays in the topic for as long as that is kept; reconciliation shows what is missing.
        LOG.error(
            "Not in the usage ledger: partition {}, offset {} of {}. {}",
            record.partition(),
            record.offset(),
            record.topic(),
            unreadable.getMessage());
      }
    }
    ledger.accept(read);
    opened.commitSync();
  }

  private static Consumer<byte[], byte[]> open(BillingProperties properties) {
    return PipelineConsumers.member(
        properties.kafka(), "platform-api-billing", properties.group(), MAX_AT_ONCE);
  }
}

package io.tidemark.platform.outbox;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One pass of publishing: what Kafka has not confirmed, and, at first and then every ten minutes,
 * every record. Of all instances one passes at a time, so that the last record of a key in the
 * topic is its newest. A pass that fails leaves its records to be published again.
 */
@Component
class OutboxPublisher {

  private static final int AT_A_TIME = 500;

  private final CrossTenantControlRecords records;
  private final ControlRecordPublisher topics;
  private final List<ControlTopic> owners;
  private final TransactionTemplate transactions;
  private final Clock clock;
  private final OutboxProperties properties;

  private Instant nextFull = Instant.MIN;
  private Instant nextCensus = Instant.MIN;
  private boolean complete;

  OutboxPublisher(
      CrossTenantControlRecords records,
      ControlRecordPublisher topics,
      List<ControlTopic> owners,
      PlatformTransactionManager transactions,
      Clock clock,
      OutboxProperties properties) {
    this.records = records;
    this.topics = topics;
    this.owners = owners;
    this.transactions = new TransactionTemplate(transactions);
    this.clock = clock;
    this.properties = properties;
  }

  /** Runs one pass; another instance's pass makes it do nothing. */
  synchronized void pass() {
    if (!complete) {
      owners.forEach(ControlTopic::addMissing);
    }
    transactions.executeWithoutResult(
        status -> {
          if (records.mayPublish()) {
            publish();
          }
        });
  }

  private void publish() {
    // Read before the records are: what was committed before it is among them.
    Instant now = clock.instant();
    boolean every = !now.isBefore(nextFull);
    publishAll(every);
    if (every) {
      records.forget();
      nextFull = now.plus(properties.fullPeriod());
      complete = true;
    }
    if (complete && !now.isBefore(nextCensus)) {
      topics.publish(owners.stream().flatMap(owner -> owner.census(now).stream()).toList());
      nextCensus = now.plus(properties.censusPeriod());
    }
  }

  private void publishAll(boolean every) {
    String topic = "";
    String key = "";
    List<ControlRecord> page;
    do {
      page = records.toPublish(every, topic, key, AT_A_TIME);
      if (!page.isEmpty()) {
        topics.publish(page);
        page.forEach(records::published);
        topic = page.get(page.size() - 1).topic();
        key = page.get(page.size() - 1).key();
      }
    } while (page.size() == AT_A_TIME);
  }
}

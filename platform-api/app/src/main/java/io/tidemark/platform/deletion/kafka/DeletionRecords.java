package io.tidemark.platform.deletion.kafka;

import io.tidemark.contracts.control.v1.RemovalRule;
import io.tidemark.platform.deletion.DataDeletion;
import io.tidemark.platform.deletion.LakeDeletionPublisher;
import io.tidemark.platform.outbox.ControlRecords;
import org.springframework.stereotype.Component;

/** Removals as records of the topic control.removals.v1; a tombstone once one is done. */
@Component
class DeletionRecords implements LakeDeletionPublisher {

  static final String TOPIC = "control.removals.v1";

  private final ControlRecords records;

  DeletionRecords(ControlRecords records) {
    this.records = records;
  }

  @Override
  public void remove(DataDeletion removal) {
    records.put(
        removal.organization(),
        TOPIC,
        key(removal),
        version -> {
          var record =
              io.tidemark.contracts.control.v1.Removal.newBuilder()
                  .setOrganizationId(removal.organization().value())
                  .setEnvironmentId(removal.environment().value())
                  .setRemovalId(removal.id())
                  .setSettledFromUnixMs(removal.settledEverywhereFrom().toEpochMilli())
                  .setVersion(version);
          removal.rules().forEach(rule -> record.addRules(rule(rule)));
          return record.build().toByteArray();
        });
  }

  private static RemovalRule.Builder rule(io.tidemark.platform.deletion.DeletionRule rule) {
    RemovalRule.Builder record = RemovalRule.newBuilder().addAllOtherPatterns(rule.others());
    if (rule.level() != null) {
      record.setLevel(rule.level().wireName());
    }
    if (rule.pattern() != null) {
      record.setPattern(rule.pattern());
    }
    if (rule.seriesId() != null) {
      record.setSeriesId(rule.seriesId());
    }
    if (rule.before() != null) {
      record.setBeforeUnixMs(rule.before().toEpochMilli());
    }
    return record;
  }

  @Override
  public void isDone(DataDeletion removal) {
    records.remove(removal.organization(), TOPIC, key(removal));
  }

  private static String key(DataDeletion removal) {
    return removal.organization() + "/" + removal.environment() + "/" + removal.id();
  }
}

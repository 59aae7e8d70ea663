package io.tidemark.platform.outbox;

import io.tidemark.platform.shared.TenantId;
import java.util.function.LongFunction;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** Where modules put what the pipeline must know. */
@Service
public class ControlRecords {

  private final JdbcControlRecords rows;
  private final ApplicationEventPublisher events;

  ControlRecords(JdbcControlRecords rows, ApplicationEventPublisher events) {
    this.rows = rows;
    this.events = events;
  }

  /**
   * Changes a record in the running transaction of the organisation. It is published once that is
   * committed, within two seconds when another process is publishing, or as soon as Kafka can be
   * reached.
   *
   * @param value the bytes of the record, given its new version, which is 1 for the first
   * @return the new version; greater than any the key had before, also before it was removed
   */
  public long put(TenantId organization, String topic, String key, LongFunction<byte[]> value) {
    long version = rows.nextVersion(organization, topic, key);
    rows.setValue(organization, topic, key, value.apply(version));
    events.publishEvent(new ControlRecordChanged());
    return version;
  }

  /** Nothing is said of the key any more: a tombstone is published. As above. */
  public void remove(TenantId organization, String topic, String key) {
    rows.nextVersion(organization, topic, key);
    rows.setValue(organization, topic, key, null);
    events.publishEvent(new ControlRecordChanged());
  }
}

package io.tidemark.platform.outbox;

import io.tidemark.platform.shared.TenantId;
import java.util.function.LongFunction;
import org.springframework.stereotype.Service;

/** Where modules put what the pipeline must know. */
@Service
public class ControlRecords {

  private final JdbcControlRecords rows;

  ControlRecords(JdbcControlRecords rows) {
    this.rows = rows;
  }

  /**
   * Changes a record in the running transaction of the organisation. It is published within half a
   * second of the commit, or as soon as Kafka can be reached.
   *
   * @param value the bytes of the record, given its new version, which is 1 for the first
   */
  public void put(TenantId organization, String topic, String key, LongFunction<byte[]> value) {
    long version = rows.nextVersion(organization, topic, key);
    rows.setValue(organization, topic, key, value.apply(version));
  }
}

package io.tidemark.platform.testing;

import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.outbox.ControlRecordPublisher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Stands for the control topics: keeps records in their order, or fails as told. */
public final class TestingControlTopics implements ControlRecordPublisher {

  private final List<ControlRecord> records = new ArrayList<>();
  private boolean failing;

  @Override
  public synchronized void publish(List<ControlRecord> more) {
    if (failing) {
      throw new IllegalStateException("Kafka is away, as the test wants it");
    }
    records.addAll(more);
  }

  /** From now on nothing can be published, or everything can again. */
  public synchronized void fail(boolean failingFromNowOn) {
    failing = failingFromNowOn;
  }

  /** All records of a key so far, in their order. */
  public synchronized List<ControlRecord> all(String topic, String key) {
    return records.stream()
        .filter(record -> record.topic().equals(topic) && record.key().equals(key))
        .toList();
  }

  /** What a compacted topic would keep of a key. */
  public synchronized Optional<ControlRecord> last(String topic, String key) {
    List<ControlRecord> all = all(topic, key);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }
}

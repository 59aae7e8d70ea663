package io.tidemark.flink.io.removals;

import io.tidemark.contracts.pipeline.v1.RemovalReport;
import java.io.Serializable;
import java.util.List;

/** Deletion requests for a committer, and its reports of deleted rows. */
public interface Removals extends Serializable {

  /** Nothing is ever to be removed. */
  Removals NONE = table -> new Nothing();

  /**
   * @param table named without its namespace
   */
  Opened open(String table);

  /** Used by one thread at a time. */
  interface Opened extends AutoCloseable {

    /** All orders that hold now; reads what is new of them. */
    List<RemovalOrder> current();

    /**
     * Whether the job has read everything that was sent to the topics of the table before a time,
     * and said so with a checkpoint.
     *
     * @param timeMs milliseconds since the Unix epoch
     */
    boolean hasReadUpTo(long timeMs);

    /** Returns when the reports are kept for good. */
    void tell(List<RemovalReport> reports);

    @Override
    void close();
  }

  /** See {@link #NONE}. */
  final class Nothing implements Opened {
    @Override
    public List<RemovalOrder> current() {
      return List.of();
    }

    @Override
    public boolean hasReadUpTo(long timeMs) {
      return true;
    }

    @Override
    public void tell(List<RemovalReport> reports) {
      throw new IllegalStateException("Nobody has ordered a removal");
    }

    @Override
    public void close() {}
  }
}

package io.tidemark.platform.replay.kafka;

import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.platform.replay.OffsetRange;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The topics of a replay: letters and notes are read, batches and notes are written together. Every
 * method throws {@link io.tidemark.platform.shared.ProblemException} with {@code store_unavailable}
 * when Kafka cannot be reached.
 */
public interface ReplayLog {

  /** Where the letters stand that were written from a time on, up to the end of now. */
  List<OffsetRange> letters(Instant writtenFrom);

  /**
   * Reads letters. What is not of their form is passed over.
   *
   * @param each gets every letter of the ranges, those of other tenants too
   * @param read is called now and then with the number of records read since the last call
   */
  void read(List<OffsetRange> ranges, Consumer<DeadLetter> each, Consumer<Long> read);

  /**
   * Reads all notes.
   *
   * @param each gets a batch id and the replay that wrote it, empty for the command
   */
  void notes(BiConsumer<String, String> each);

  /** Takes the right to replay from whoever has it: what that one has not committed is undone. */
  Writer open();

  /** Writes batches. */
  interface Writer extends AutoCloseable {

    /**
     * Writes a batch and its note in the transaction under way, which is committed now and then.
     *
     * @throws io.tidemark.platform.replay.ReplayRunner.ReplayFencedException when another took the
     *     right
     */
    void write(ReplayCandidate.Batch batch, String replay);

    /**
     * Commits what was written.
     *
     * @throws io.tidemark.platform.replay.ReplayRunner.ReplayFencedException when another took the
     *     right
     */
    void commit();

    /** What was not committed is undone. */
    @Override
    void close();
  }
}

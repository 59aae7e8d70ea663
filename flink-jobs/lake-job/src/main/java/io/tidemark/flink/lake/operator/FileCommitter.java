package io.tidemark.flink.lake.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.io.removals.Removals;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.AbstractID;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only committer of a table. Files become part of the table when the checkpoint that holds them
 * is complete; the snapshot says which checkpoint that was, and how far it holds the topic. After a
 * failure the table itself tells what is committed, so a commit whose answer was lost is not
 * repeated.
 */
public final class FileCommitter extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<String, Void> {
  private static final long serialVersionUID = 1L;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MILLIS_PER_SECOND = 1_000L;

  /** Iceberg refuses a snapshot that is older than the newest change by more. */
  private static final long TOLERATED_MILLIS = 60_000L;

  private static final Logger LOG = LoggerFactory.getLogger(FileCommitter.class);

  private final LakeTable lakeTable;
  private final Upkeep upkeep;
  private final Removals removals;

  // One element per pending file, replaced at every checkpoint.
  private transient ListState<String> state;
  // A state of its own: versions without offsets restore what has them, and the other way about.
  private transient ListState<String> offsetsState;
  private transient PendingFiles pending;
  private transient LakeTable.@Nullable Opened opened;
  private transient boolean hasState;
  private transient long restoredCheckpoint;
  private transient CommittedCheckpoint committed;
  private transient long lastCommit;
  private transient boolean isWaiting;
  private transient Counter commits;
  private transient Counter committedFiles;
  private transient Counter alreadyCommitted;
  private transient Counter rewrittenFiles;
  private transient Counter removedRows;
  private transient Counter upkeepFailures;
  private transient @Nullable TableUpkeep keeping;

  public FileCommitter(LakeTable lakeTable, Upkeep upkeep, Removals removals) {
    this.lakeTable = lakeTable;
    this.upkeep = upkeep;
    this.removals = removals;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("pending-files", Types.STRING));
    offsetsState =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("pending-offsets", Types.STRING));
    pending = new PendingFiles(new AbstractID().toHexString());
    restoredCheckpoint = context.getRestoredCheckpointId().orElse(CommittedCheckpoint.NONE);
    hasState = context.isRestored() && pending.restore(state.get());
    if (hasState) {
      pending.restoreOffsets(offsetsState.get());
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    ProcessWideResources.releaseWith(getRuntimeContext());
    commits = LakeMetrics.counter(getMetricGroup(), LakeMetrics.COMMITS);
    committedFiles = LakeMetrics.counter(getMetricGroup(), LakeMetrics.FILES_COMMITTED);
    alreadyCommitted = LakeMetrics.counter(getMetricGroup(), LakeMetrics.ALREADY_COMMITTED);
    LakeMetrics.group(getMetricGroup())
        .gauge(LakeMetrics.SINCE_LAST_COMMIT, (Gauge<Long>) this::secondsSinceLastCommit);
    LakeMetrics.group(getMetricGroup())
        .gauge(LakeMetrics.FILES_PENDING, (Gauge<Integer>) () -> pending.size());
    rewrittenFiles = LakeMetrics.counter(getMetricGroup(), LakeMetrics.FILES_REWRITTEN);
    removedRows = LakeMetrics.counter(getMetricGroup(), LakeMetrics.ROWS_REMOVED);
    upkeepFailures = LakeMetrics.counter(getMetricGroup(), LakeMetrics.MAINTENANCE_FAILURES);
    opened = lakeTable.open();
    committed = CommittedCheckpoint.of(table(), pending.writer());
    settle();
    keeping =
        new TableUpkeep(
            lakeTable.open(),
            upkeep,
            "merged-" + new AbstractID().toHexString(),
            "upkeep of " + lakeTable.name(),
            tableName(),
            removals.open(tableName()));
    scheduleUpkeep();
  }

  @Override
  public void processElement(StreamRecord<String> element) {
    String sent = element.getValue();
    if (TopicOffsets.isElement(sent)) {
      pending.reached(TopicOffsets.ofElement(sent));
    } else {
      pending.arrived(sent);
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.update(pending.hold(context.getCheckpointId()));
    offsetsState.update(pending.heldOffsets());
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) throws Exception {
    super.notifyCheckpointComplete(checkpoint);
    commit(checkpoint);
  }

  @Override
  public void close() throws Exception {
    TableUpkeep kept = keeping;
    keeping = null;
    if (kept != null) {
      kept.close();
    }
    LakeTable.Opened source = opened;
    opened = null;
    if (source != null) {
      source.close();
    }
    super.close();
  }

  private void scheduleUpkeep() {
    // Fails the task if scheduling fails; the future itself says nothing more.
    var unused =
        processingTimeService.registerTimer(
            processingTimeService.getCurrentProcessingTime() + upkeep.interval().toMillis(),
            due -> {
              keep(due);
              scheduleUpkeep();
            });
  }

  /** A failure is an alarm, not a reason to stop writing: the next step tries again. */
  private void keep(long now) {
    TableUpkeep kept = keeping;
    if (kept == null || isAheadOfClock(table())) {
      return;
    }
    try {
      TableUpkeep.Done done = kept.step(table(), committed, now);
      rewrittenFiles.inc(done.filesReplaced());
      removedRows.inc(done.rowsRemoved());
    } catch (IOException | RuntimeException e) {
      upkeepFailures.inc();
      LOG.warn("Upkeep of {} failed; it is tried again", lakeTable.name(), e);
    }
  }

  /** After a restart: what the restored checkpoint holds is complete, so it is due. */
  private void settle() {
    String earlier = hasState ? null : CommittedCheckpoint.newest(table());
    if (earlier != null) {
      throw new IllegalStateException(
          "Table "
              + lakeTable.name()
              + " holds the rows of an earlier run of the job ("
              + earlier
              + "), but this run was started without its state: it would read the topics again and"
              + " double rows. Start the job from its newest savepoint or retained checkpoint; if"
              + " none is left, set the table aside first; see docs/runbooks/lake.md.");
    }
    if (committed.checkpoint() > restoredCheckpoint) {
      throw new IllegalStateException(
          "Table "
              + lakeTable.name()
              + " holds rows up to checkpoint "
              + committed.checkpoint()
              + ", but the job was restored from checkpoint "
              + restoredCheckpoint
              + ": its rows would be doubled. Roll the table back to the snapshot whose summary has "
              + CommittedCheckpoint.CHECKPOINT
              + " "
              + restoredCheckpoint
              + " or less, or restore the newest checkpoint; see docs/runbooks/lake.md.");
    }
    if (!pending.upTo(committed.checkpoint()).isEmpty()) {
      alreadyCommitted.inc();
    }
    pending.forgetUpTo(committed.checkpoint());
    if (restoredCheckpoint != CommittedCheckpoint.NONE) {
      commit(restoredCheckpoint);
    }
  }

  private void commit(long checkpoint) {
    List<String> files = pending.upTo(checkpoint);
    if (files.isEmpty()) {
      // Records without a file have no row in the table: what they reached waits for the next file.
      pending.gatherOffsetsUpTo(checkpoint);
      return;
    }
    Table table = table();
    if (isAheadOfClock(table)) {
      // They stay in the state and go with a later checkpoint.
      return;
    }
    AppendFiles append = table.newAppend();
    PartitionSpec spec = table.spec();
    files.forEach(file -> append.appendFile(parse(file, spec)));
    CommittedCheckpoint next =
        new CommittedCheckpoint(
            pending.writer(),
            checkpoint,
            committed.offsets().then(pending.offsetsUpTo(checkpoint)));
    next.mark(append).commit();
    pending.forgetUpTo(checkpoint);
    committed = next;
    lastCommit = processingTimeService.getCurrentProcessingTime();
    commits.inc();
    committedFiles.inc(files.size());
  }

  /**
   * Whether the table's newest snapshot or change is from the future: whoever made it had a clock
   * that was ahead, and Iceberg takes no snapshot until this process's clock gets there.
   */
  private boolean isAheadOfClock(Table table) {
    List<HistoryEntry> history = table.history();
    long newest = ((HasTableOperations) table).operations().current().lastUpdatedMillis();
    if (!history.isEmpty()) {
      newest = Math.max(newest, history.get(history.size() - 1).timestampMillis());
    }
    long ahead = newest - processingTimeService.getCurrentProcessingTime();
    boolean isAhead = ahead > TOLERATED_MILLIS;
    if (isAhead && !isWaiting) {
      LOG.warn(
          "The newest change of {} is {} s ahead of the clock. Files wait for so long, and no row"
              + " is lost meanwhile; see docs/runbooks/lake.md",
          lakeTable.name(),
          ahead / MILLIS_PER_SECOND);
    }
    isWaiting = isAhead;
    return isAhead;
  }

  private static DataFile parse(String file, PartitionSpec spec) {
    try {
      return (DataFile) ContentFileParser.fromJson(JSON.readTree(file), spec);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The committer's state holds no file: " + file, e);
    }
  }

  private Table table() {
    return Objects.requireNonNull(opened).table();
  }

  /** Without its namespace. */
  private String tableName() {
    return lakeTable.name().substring(lakeTable.name().lastIndexOf('.') + 1);
  }

  private long secondsSinceLastCommit() {
    return lastCommit == 0
        ? 0
        : (processingTimeService.getCurrentProcessingTime() - lastCommit) / MILLIS_PER_SECOND;
  }
}

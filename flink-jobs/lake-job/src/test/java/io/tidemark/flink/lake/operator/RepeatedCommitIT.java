package io.tidemark.flink.lake.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.lake.LakeCatalog;
import io.tidemark.flink.lake.TestingRestCatalog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit that is sent again because its answer was lost, when another came between. */
class RepeatedCommitIT {

  private static final TableIdentifier ROWS = TableIdentifier.of("telemetry", "rows");

  @TempDir Path warehouse;

  @Test
  void itsFilesAreThereOnceAndWhatCameBetweenStays() throws Exception {
    try (TestingRestCatalog rest = new TestingRestCatalog(warehouse);
        LakeCatalog catalog = rest.open()) {
      catalog.createNamespace(Namespace.of("telemetry"));
      Table table =
          catalog.createTable(
              ROWS, new Schema(Types.NestedField.required(1, "value", Types.LongType.get())));
      append(table, "writer", 6);
      rest.loseNextAnswer(() -> append(rest.behind().loadTable(ROWS), "another", 70));

      append(table, "writer", 7);

      assertEquals(2, rest.commits(), "it was sent again");
      assertEquals(List.of("70", "7", "6"), checkpoints(rest.behind().loadTable(ROWS)));
    }
  }

  private static void append(Table table, String writer, long checkpoint) {
    DataFile file =
        DataFiles.builder(table.spec())
            .withPath(table.location() + "/data/" + checkpoint + ".parquet")
            .withFileSizeInBytes(10)
            .withRecordCount(1)
            .build();
    new CommittedCheckpoint(writer, checkpoint, TopicOffsets.NONE)
        .mark(table.newAppend().appendFile(file))
        .commit();
  }

  /** Of what the table holds, the newest first. */
  private static List<String> checkpoints(Table table) {
    List<String> checkpoints = new ArrayList<>();
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      checkpoints.add(snapshot.summary().get(CommittedCheckpoint.CHECKPOINT));
    }
    return checkpoints;
  }
}

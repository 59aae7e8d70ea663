package io.tidemark.provision;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Makes lake and topics fit a PostgreSQL that was restored to an earlier moment. The lake's tables
 * are what their newest metadata file says, which lies beside the rows and was not lost: the
 * catalog points to it again. Consumer groups of platform-api go back to the moment: what they read
 * since has to be written to the database once more, and counts once.
 */
public final class RestoredDatabase {
  private static final String GROUPS = "platform-api-";

  /** Clocks of the broker and of PostgreSQL need not agree to the second. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private final Addresses addresses;

  public RestoredDatabase(Addresses addresses) {
    this.addresses = addresses;
  }

  /**
   * Nothing that writes to the lake or reads for platform-api may run. Returns a line for each
   * change; again, it changes nothing.
   *
   * @param moment to which the database was restored, or earlier
   */
  public List<String> follow(Instant moment)
      throws IOException, InterruptedException, ExecutionException {
    List<String> told = new ArrayList<>(pointTablesToTheirNewest());
    told.addAll(rewindGroups(moment.minus(MARGIN)));
    return told;
  }

  List<String> pointTablesToTheirNewest() throws IOException, InterruptedException {
    if (!addresses.isCatalogInPostgres()) {
      return List.of(
          "The lake's catalog at "
              + addresses.catalogUrl()
              + " is not in this database: its tables stay as they are");
    }
    return LakeProgram.run(
        LakeProgram.command(addresses, "NewestMetadata", LakeProgram.SHORT, List.of()),
        "Tables of the lake could not be pointed to their newest metadata:");
  }

  private List<String> rewindGroups(Instant moment)
      throws InterruptedException, ExecutionException {
    List<String> told = new ArrayList<>();
    try (Admin admin = Admin.create(addresses.access().kafka(addresses.kafka()))) {
      List<String> groups =
          admin.listGroups().all().get().stream()
              .map(group -> group.groupId())
              .filter(group -> group.startsWith(GROUPS))
              .sorted()
              .toList();
      for (String group : groups) {
        Map<TopicPartition, OffsetAndMetadata> read =
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        read.keySet()
            .forEach(
                partition -> asked.put(partition, OffsetSpec.forTimestamp(moment.toEpochMilli())));
        Map<TopicPartition, ListOffsetsResultInfo> then = admin.listOffsets(asked).all().get();
        Map<TopicPartition, OffsetAndMetadata> back = new HashMap<>();
        then.forEach(
            (partition, found) -> {
              // Without a record since the moment there is none to read again.
              long reached = Objects.requireNonNull(read.get(partition)).offset();
              if (found.offset() >= 0 && found.offset() < reached) {
                back.put(partition, new OffsetAndMetadata(found.offset()));
              }
            });
        if (!back.isEmpty()) {
          admin.alterConsumerGroupOffsets(group, back).all().get();
          told.add(group + " reads " + back.size() + " partitions from " + moment + " again");
        }
      }
    }
    return told;
  }
}

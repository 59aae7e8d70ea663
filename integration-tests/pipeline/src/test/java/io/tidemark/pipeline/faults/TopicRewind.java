package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code make test-operations}: all groups of platform-api are set back to the beginning of their
 * topics, as docs/operations/rewind.md says; what they read again counts once.
 */
@ExtendWith(RunningStack.class)
@Isolated("platform-api is stopped")
class TopicRewind {
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final String ORGANIZATION = "org-ledger";
  private static final String METRIC = "operations.rewind";
  private static final long POINTS = 5_000;

  /** What the tenant is billed for its points, and the receipts of them. */
  private record Ledger(long meteredPoints, long entries, long receipts, long receivedPoints) {}

  private final RunningStack.Started stack = RunningStack.get();

  @Test
  void groupsThatAreSetBackReadEverythingAgainAndCountNothingTwice() throws Exception {
    long acknowledged = send();
    try (Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.coordinates().get("TIDEMARK_KAFKA")))) {
      Await.until(
          "every point is metered",
          PATIENCE,
          () -> ledger().meteredPoints(),
          points -> points == acknowledged);
      awaitEnd(admin);
      Ledger before = ledger();

      stack.stack().stop("platform-api");
      Map<String, Map<TopicPartition, Long>> read = rewind(admin);
      System.out.println("OPERATIONS set back " + read);
      stack.stack().up();

      Await.until(
          "all is read again", PATIENCE, () -> positions(admin), now -> isReadAgain(read, now));
      assertThat(ledger()).isEqualTo(before);
      assertThat(before.receivedPoints()).isGreaterThanOrEqualTo(acknowledged);
      assertThat(stack.stack().failedCommits()).as("transactions lost").isEmpty();
    }
  }

  private long send() throws InterruptedException {
    try (LedgerLoad load =
        new LedgerLoad(
            new OtlpSender(
                stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION)),
            METRIC,
            LedgerLoad.Habits.PLAIN)) {
      Await.until("load flows", PATIENCE, load::acknowledged, sent -> sent > POINTS);
      load.finish();
      return load.acknowledged();
    }
  }

  private Ledger ledger() throws SQLException {
    String metered = "usage_entry WHERE meter = 'points' AND metric = '" + METRIC + "'";
    String received = "batch_copy WHERE true";
    return new Ledger(
        ask("coalesce(sum(units), 0)", metered),
        ask("count(*)", metered),
        ask("count(*)", received),
        ask("coalesce(sum(points), 0)", received));
  }

  private long ask(String figure, String rows) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://" + stack.settings().ports().address("postgres") + "/tidemark",
                "tidemark",
                EnvironmentFile.read(stack.settings().home().resolve("secrets.env"))
                    .get("TIDEMARK_POSTGRES_PASSWORD"));
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT %s FROM %s AND organization_id = ?".formatted(figure, rows))) {
      statement.setString(1, ORGANIZATION);
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        return answer.getLong(1);
      }
    }
  }

  /** Where each group of platform-api is. */
  private static Map<String, Map<TopicPartition, Long>> positions(Admin admin) throws Exception {
    List<String> groups =
        admin.listGroups().all().get().stream()
            .map(GroupListing::groupId)
            .filter(group -> group.startsWith("platform-api-"))
            .toList();
    Map<String, Map<TopicPartition, Long>> found = new TreeMap<>();
    for (String group : groups) {
      Map<TopicPartition, Long> offsets = new HashMap<>();
      admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
      found.put(group, offsets);
    }
    return found;
  }

  private static void awaitEnd(Admin admin) throws Exception {
    Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
    positions(admin)
        .values()
        .forEach(
            group -> group.keySet().forEach(each -> partitions.put(each, OffsetSpec.latest())));
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin
        .listOffsets(partitions)
        .all()
        .get()
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    Await.until(
        "groups are at the end of their topics",
        PATIENCE,
        () -> positions(admin),
        now ->
            now.values().stream()
                .flatMap(group -> group.entrySet().stream())
                .allMatch(each -> each.getValue() >= ends.get(each.getKey())));
  }

  /** Returns where the groups were. */
  private static Map<String, Map<TopicPartition, Long>> rewind(Admin admin) throws Exception {
    Map<String, Map<TopicPartition, Long>> before = positions(admin);
    List<String> moved = new ArrayList<>();
    for (Map.Entry<String, Map<TopicPartition, Long>> group : before.entrySet()) {
      Map<TopicPartition, OffsetAndMetadata> beginning = new HashMap<>();
      group.getValue().keySet().forEach(each -> beginning.put(each, new OffsetAndMetadata(0)));
      Await.until(
          group.getKey() + " has no members",
          PATIENCE,
          () -> isMoved(admin, group.getKey(), beginning),
          done -> done);
      moved.add(group.getKey());
    }
    assertThat(moved).contains("platform-api-billing", "platform-api-receipts");
    assertThat(positions(admin).values())
        .allSatisfy(group -> assertThat(group.values()).allMatch(offset -> offset == 0));
    return before;
  }

  private static boolean isMoved(
      Admin admin, String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
    try {
      admin.alterConsumerGroupOffsets(group, offsets).all().get();
      return true;
    } catch (ExecutionException stillMember) {
      return false;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean isReadAgain(
      Map<String, Map<TopicPartition, Long>> before, Map<String, Map<TopicPartition, Long>> now) {
    return before.entrySet().stream()
        .allMatch(
            group ->
                group.getValue().entrySet().stream()
                    .allMatch(
                        each ->
                            now.getOrDefault(group.getKey(), Map.of())
                                    .getOrDefault(each.getKey(), 0L)
                                >= each.getValue()));
  }
}

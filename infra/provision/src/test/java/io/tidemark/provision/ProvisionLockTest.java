package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real PostgreSQL. */
class ProvisionLockTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws Exception {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  static Addresses addresses(String url) {
    return new Addresses(
        Path.of("."),
        "k",
        "d",
        "f",
        Path.of("."),
        "s",
        url,
        "postgres",
        "p",
        "r",
        "w",
        Map.of(),
        EngineAccess.OPEN);
  }

  private static ProvisionLock acquire(Duration patience, List<String> told) {
    return ProvisionLock.acquire(
        addresses(postgres.getJdbcUrl("postgres", "postgres")), patience, told::add);
  }

  @Test
  void aSecondRunSaysThatItWaitsAndBeginsWhenTheFirstHasEnded() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    CountDownLatch waits = new CountDownLatch(1);
    CompletableFuture<ProvisionLock> second;
    try (ProvisionLock first = acquire(LONG, told)) {
      assertThat(told).isEmpty();
      second =
          CompletableFuture.supplyAsync(
              () ->
                  ProvisionLock.acquire(
                      addresses(postgres.getJdbcUrl("postgres", "postgres")),
                      LONG,
                      line -> {
                        told.add(line);
                        waits.countDown();
                      }));
      assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(told).singleElement().asString().startsWith("Another run provisions");
      assertThat(second).isNotDone();
    }
    second.get(60, TimeUnit.SECONDS).close();
  }

  /** As a process that was killed: the server sees its connection end. */
  @Test
  void aRunThatDiedHoldsNothing() throws Exception {
    ProvisionLock dead = acquire(LONG, List.of());
    try (Connection server = postgres.getPostgresDatabase().getConnection();
        Statement statement = server.createStatement();
        ResultSet ended =
            statement.executeQuery(
                // Not all of its name: the server may still be ending one that was closed before.
                "SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_locks"
                    + " WHERE locktype = 'advisory' AND granted")) {
      ended.next();
      assertThat(ended.getInt(1)).isOne();
    }
    acquire(Duration.ofMillis(1), new CopyOnWriteArrayList<>()).close();
    dead.close();
  }

  @Test
  void aRunThatDoesNotEndIsNotWaitedForForever() {
    List<String> told = new CopyOnWriteArrayList<>();
    try (ProvisionLock first = acquire(LONG, told)) {
      assertThatThrownBy(() -> acquire(Duration.ofMillis(50), told))
          .isInstanceOf(ProvisionFailure.class)
          .hasMessageContaining("Another run of provisioning works on this cluster")
          .hasMessageContaining("provision again");
    }
    assertThat(told).hasSize(1);
  }

  @Test
  void aDatabaseThatIsAwayIsNamedWithItsVariables() {
    assertThatThrownBy(
            () ->
                ProvisionLock.acquire(
                    addresses("jdbc:postgresql://127.0.0.1:1/iceberg"), LONG, line -> {}))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("jdbc:postgresql://127.0.0.1:1/iceberg")
        .hasMessageContaining("refused")
        .hasMessageContaining("TIDEMARK_CATALOG_URL");
  }
}

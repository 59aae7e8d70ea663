package io.tidemark.pipeline.faults;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.engine.DeletedTree;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Base backup, archive of the log and restore to a moment, by PostgreSQL's own functions: what
 * docs/operations/restore-postgresql.md says, on the stack's database.
 */
final class PostgresBackup {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Settings of the server take a zone as a number, and no Z. */
  private static final DateTimeFormatter SERVER_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSxxx");

  private final RunningStack.Started stack;
  private final Path cluster;
  private final Path archive;
  private final Path base;

  PostgresBackup(RunningStack.Started stack, Path folder) throws IOException {
    this.stack = stack;
    this.cluster = stack.settings().data("postgres").resolve("cluster");
    this.archive = folder.resolve("log");
    this.base = folder.resolve("base");
    DeletedTree.delete(folder);
    Files.createDirectories(archive);
    Files.createDirectories(base);
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://" + stack.settings().ports().address("postgres") + "/" + database,
        "tidemark",
        EnvironmentFile.read(stack.settings().home().resolve("secrets.env"))
            .get("TIDEMARK_POSTGRES_PASSWORD"));
  }

  public String ask(String database, String question) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      answer.next();
      return answer.getString(1);
    }
  }

  /** From now on every segment of the log is copied. Restarts the server. */
  void archiveLog() throws Exception {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER SYSTEM SET archive_mode = on");
      statement.execute(
          "ALTER SYSTEM SET archive_command = 'test ! -f %1$s/%%f && cp %%p %1$s/%%f'"
              .formatted(archive));
    }
    stack.stack().stop("postgres");
    stack.stack().start("postgres");
  }

  void takeBase() throws SQLException, IOException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('base', true)");
      copy(cluster, base, List.of("postmaster.pid", "postmaster.opts", "pg_wal"));
      try (ResultSet label =
          statement.executeQuery(
              "SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)")) {
        label.next();
        Files.writeString(base.resolve("backup_label"), label.getString(1));
      }
    }
    Files.createDirectories(base.resolve("pg_wal/archive_status"));
  }

  /** By the server's clock. */
  public Instant now() throws SQLException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("SELECT clock_timestamp()")) {
      answer.next();
      return answer.getObject(1, OffsetDateTime.class).toInstant();
    }
  }

  /** What was written until now is in the archive afterwards. */
  void awaitArchived() throws Exception {
    String segment = ask("postgres", "SELECT pg_walfile_name(pg_switch_wal())");
    Await.until(
        "the log is archived up to " + segment,
        PATIENCE,
        () -> Files.exists(archive.resolve(segment)),
        there -> there);
  }

  /** The server is dead. Puts the base in its place, and starts it up to a moment. */
  void restore(Instant moment) throws Exception {
    DeletedTree.delete(cluster);
    Files.createDirectory(
        cluster,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    copy(base, cluster, List.of());
    Files.writeString(
        cluster.resolve("postgresql.auto.conf"),
        """

        restore_command = 'cp %s/%%f %%p'
        recovery_target_time = '%s'
        recovery_target_action = 'promote'
        """
            .formatted(archive, moment.atOffset(ZoneOffset.UTC).format(SERVER_TIME)),
        StandardOpenOption.APPEND);
    Files.createFile(cluster.resolve("recovery.signal"));
    stack.stack().start("postgres");
    Await.until(
        "the server has reached the moment",
        PATIENCE,
        () -> ask("postgres", "SELECT pg_is_in_recovery()"),
        "f"::equals);
  }

  /** Files may change and go while they are copied; the log makes them whole. */
  private static void copy(Path from, Path to, List<String> without) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Path relative = from.relativize(folder);
            if (without.contains(relative.toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Path copy = to.resolve(relative);
            Files.createDirectories(copy);
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path relative = from.relativize(file);
            if (!without.contains(relative.toString())) {
              try {
                Files.copy(file, to.resolve(relative));
              } catch (NoSuchFileException gone) {
                return FileVisitResult.CONTINUE;
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }
}

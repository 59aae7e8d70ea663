package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.postgresql.PGConnection;

/**
 * PostgreSQL from relocatable binaries. Refuses to run as root, so root gets a user namespace in
 * which it is nobody.
 */
final class Postgres {
  /** The superuser: for the lifecycle, and for people. */
  static final String USER = "tidemark";

  /** Owns the control plane's database and may migrate it; no superuser. */
  static final String OWNER = "tidemark_owner";

  /** What platform-api works as: it owns nothing. */
  static final String APPLICATION = "tidemark_application";

  /** Owns the Iceberg catalog and nothing else: the lake job and provisioning use it. */
  static final String LAKE = "tidemark_lake";

  /** May read the Iceberg catalog and nothing else. */
  static final String CATALOG_READER = "tidemark_catalog_reader";

  static final List<String> DATABASES = List.of("tidemark", "iceberg");

  private final StackSettings settings;
  private final StackIdentity identity;
  private final String password;
  private final Security security;

  Postgres(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
    this.password = identity.get("TIDEMARK_POSTGRES_PASSWORD");
    this.security = new Security(settings, identity);
  }

  ProcessSpec spec() {
    Path data = settings.data("postgres").resolve("cluster");
    List<String> command = new ArrayList<>(asOrdinaryUser());
    command.addAll(
        List.of(
            binaries().resolve("bin/postgres").toString(),
            "-D",
            data.toString(),
            "-c",
            "config_file=" + settings.infra("postgres/postgresql.conf"),
            "-c",
            "hba_file=" + (security.isOn() ? encryptedOnly() : data.resolve("pg_hba.conf")),
            "-c",
            "ident_file=" + data.resolve("pg_ident.conf"),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "port=" + settings.ports().of("postgres"),
            "-c",
            "unix_socket_directories="));
    if (security.isOn()) {
      command.addAll(encryption());
    }
    return new ProcessSpec(
        "postgres",
        command,
        Map.of("LC_ALL", "C"),
        List.of(settings.infra("postgres/postgresql.conf")),
        List.of(),
        Map.of("postgres", settings.ports().of("postgres")),
        this::prepare,
        this::isReady,
        this::createDatabasesAndRoles,
        Duration.ofSeconds(180),
        // SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
        new ProcessSpec.Stop("INT", Duration.ofSeconds(30)));
  }

  /** For the lifecycle. */
  private String url(String database) {
    return url(settings, identity, settings.ports().address("postgres"), database);
  }

  /** Clients take no server but the one with the stack's own certificate. */
  static String url(
      StackSettings settings, StackIdentity identity, String address, String database) {
    Security security = new Security(settings, identity);
    return "jdbc:postgresql://"
        + address
        + "/"
        + database
        + (security.isOn()
            ? "?sslmode=verify-full&sslrootcert=" + security.certificates().authority("postgres")
            : "");
  }

  private List<String> encryption() {
    Certificates certificates = security.certificates();
    return List.of(
        "-c",
        "ssl=on",
        "-c",
        "ssl_min_protocol_version=TLSv1.2",
        "-c",
        "ssl_cert_file=" + certificates.certificate("postgres"),
        "-c",
        "ssl_key_file=" + certificates.privateKey("postgres"));
  }

  private Path encryptedOnly() {
    return settings.data("postgres").resolve("encrypted-only-hba.conf");
  }

  private void prepare() throws IOException, InterruptedException {
    unpack();
    Folders.create(settings.data("postgres"));
    if (security.isOn()) {
      Files.writeString(
          encryptedOnly(), "hostssl all,replication all 127.0.0.1/32 scram-sha-256\n");
    }
    Path data = settings.data("postgres").resolve("cluster");
    if (Files.exists(data.resolve("PG_VERSION"))
        && Files.exists(data.resolve("tidemark-initialised"))) {
      // A kill leaves this behind; its pid may now be another process's.
      Files.deleteIfExists(data.resolve("postmaster.pid"));
      return;
    }
    deleteHalfInitialised(data);
    Path passwordFile =
        Files.createTempFile(
            settings.data("postgres"),
            "password",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(passwordFile, password);
      List<String> command = new ArrayList<>(asOrdinaryUser());
      command.addAll(
          List.of(
              binaries().resolve("bin/initdb").toString(),
              "-D",
              data.toString(),
              "-U",
              USER,
              "--pwfile=" + passwordFile,
              "-A",
              "scram-sha-256",
              "-E",
              "UTF8",
              "--locale=C"));
      Path log = settings.data("postgres").resolve("initdb.log");
      Process initdb =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (initdb.waitFor() != 0) {
        throw new StackFailure(
            "PostgreSQL's initdb failed; see " + log + "\n" + Files.readString(log));
      }
      Files.createFile(data.resolve("tidemark-initialised"));
    } finally {
      Files.deleteIfExists(passwordFile);
    }
  }

  private boolean isReady() throws SQLException {
    // A server that hangs takes connections and never answers.
    Properties client = new Properties();
    client.setProperty("user", USER);
    client.setProperty("password", password);
    client.setProperty("loginTimeout", "5");
    client.setProperty("socketTimeout", "5");
    try (Connection connection = DriverManager.getConnection(url("postgres"), client);
        Statement statement = connection.createStatement();
        // A server that was restored takes nothing before it has reached its moment.
        ResultSet answer = statement.executeQuery("SELECT NOT pg_is_in_recovery()")) {
      answer.next();
      return answer.getBoolean(1);
    }
  }

  private void createDatabasesAndRoles() throws SQLException, IOException {
    createDatabases();
    try (Connection connection = DriverManager.getConnection(url("iceberg"), USER, password);
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(settings.infra("postgres/roles.sql")));
      letLogIn(connection, "iceberg", LAKE, identity.get("TIDEMARK_CATALOG_PASSWORD"));
      letLogIn(
          connection, "iceberg", CATALOG_READER, identity.get("TIDEMARK_CATALOG_READER_PASSWORD"));
    }
    try (Connection connection = DriverManager.getConnection(url("tidemark"), USER, password);
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(settings.infra("postgres/control-plane-roles.sql")));
      letLogIn(connection, "tidemark", OWNER, identity.get("TIDEMARK_POSTGRES_OWNER_PASSWORD"));
      statement.execute("ALTER ROLE " + APPLICATION + " LOGIN");
      letLogIn(
          connection,
          "tidemark",
          APPLICATION,
          identity.get("TIDEMARK_POSTGRES_APPLICATION_PASSWORD"));
    }
  }

  /** Hashed here, so that no statement, and no log of statements, holds the password. */
  private void letLogIn(Connection superuser, String database, String role, String rolePassword)
      throws SQLException {
    try (Connection own = DriverManager.getConnection(url(database), role, rolePassword)) {
      own.isValid(2);
    } catch (SQLException refused) {
      superuser
          .unwrap(PGConnection.class)
          .alterUserPassword(role, rolePassword.toCharArray(), "scram-sha-256");
    }
  }

  private void createDatabases() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url("postgres"), USER, password);
        Statement statement = connection.createStatement()) {
      for (String database : DATABASES) {
        try (ResultSet found =
            statement.executeQuery(
                "SELECT 1 FROM pg_database WHERE datname = '" + database + "'")) {
          if (found.next()) {
            continue;
          }
        }
        statement.executeUpdate("CREATE DATABASE " + database);
      }
    }
  }

  private Path binaries() {
    return settings.engines().resolve("postgres");
  }

  /**
   * Unpacks the binaries once; a folder that was half unpacked by a killed launcher is never taken
   * for whole.
   */
  private void unpack() throws IOException {
    Path jar = JavaCommand.jars(settings, "postgres").get(0);
    Path mark = binaries().resolve("unpacked-from");
    if (Files.exists(mark) && Files.readString(mark).equals(jar.getFileName().toString())) {
      return;
    }
    Files.createDirectories(binaries());
    try (ZipInputStream zip =
        new ZipInputStream(new BufferedInputStream(Files.newInputStream(jar)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith(".txz")) {
          unpackTar(new XZCompressorInputStream(new BufferedInputStream(zip)));
          Files.writeString(mark, jar.getFileName().toString());
          return;
        }
      }
    }
    throw new StackFailure(jar + " holds no PostgreSQL binaries");
  }

  private void unpackTar(InputStream xz) throws IOException {
    TarArchiveInputStream tar = new TarArchiveInputStream(xz);
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      Path target = binaries().resolve(entry.getName()).normalize();
      if (!target.startsWith(binaries())) {
        throw new IOException("entry leaves its folder: " + entry.getName());
      }
      if (entry.isDirectory()) {
        Files.createDirectories(target);
      } else if (entry.isSymbolicLink()) {
        Files.createDirectories(target.getParent());
        Files.deleteIfExists(target);
        Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
      } else {
        Files.createDirectories(target.getParent());
        Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
        boolean executable = (entry.getMode() & 0100) != 0;
        Files.setPosixFilePermissions(
            target,
            executable
                ? PosixFilePermissions.fromString("rwxr-xr-x")
                : Set.copyOf(PosixFilePermissions.fromString("rw-r--r--")));
      }
    }
  }

  private static void deleteHalfInitialised(Path data) throws IOException {
    if (!Files.exists(data)) {
      return;
    }
    if (Files.exists(data.resolve("tidemark-initialised"))) {
      throw new StackFailure(
          data + " holds no usable database cluster. Restore it, or `make clean` to start anew.");
    }
    DeletedTree.delete(data);
  }

  private static List<String> asOrdinaryUser() {
    return "root".equals(System.getProperty("user.name")) ? List.of("unshare", "-U") : List.of();
  }
}

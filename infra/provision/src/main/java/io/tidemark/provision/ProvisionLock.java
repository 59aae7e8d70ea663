package io.tidemark.provision;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets one run at a time work on a cluster. Two that submit the same job would roll up every point
 * twice.
 *
 * <p>An advisory lock in the catalog's database, or another where the catalog is none, held by an
 * open transaction: it ends with the process, however that ends, and passes through a pooler that
 * shares connections by transaction.
 */
final class ProvisionLock implements AutoCloseable {
  /** Of nobody else in this database: "tidemark" in ASCII. */
  private static final long KEY = 0x746964656d61726bL;

  private static final String LOCK_TIMEOUT = "55P03";

  private final Connection connection;

  private ProvisionLock(Connection connection) {
    this.connection = connection;
  }

  /**
   * Waits for another run to end.
   *
   * @param patience how long
   * @param progress is told when there is another run
   */
  static ProvisionLock acquire(Addresses addresses, Duration patience, Consumer<String> progress) {
    Connection connection = null;
    try {
      connection = open(addresses, patience);
      lock(connection, patience, progress);
      return new ProvisionLock(connection);
    } catch (SQLException e) {
      closeQuietly(connection);
      if (LOCK_TIMEOUT.equals(e.getSQLState())) {
        throw ProvisionFailure.engine(
            "Another run of provisioning works on this cluster and has not ended within "
                + patience.toSeconds()
                + " s. Look at its output, or end it; then provision again.",
            e);
      }
      throw ProvisionFailure.engine(
          "The catalog's database at "
              + addresses.lockDatabase().url()
              + " does not let "
              + addresses.lockDatabase().user()
              + " in: "
              + ProvisionFailure.reason(e)
              + ". Check that PostgreSQL runs, and TIDEMARK_%1$s_URL, TIDEMARK_%1$s_USER and TIDEMARK_%1$s_PASSWORD; then provision again."
                  .formatted(addresses.lock().isPresent() ? "LOCK" : "CATALOG"),
          e);
    }
  }

  private static Connection open(Addresses addresses, Duration patience) throws SQLException {
    Properties properties = new Properties();
    Addresses.LockDatabase database = addresses.lockDatabase();
    properties.setProperty("user", database.user());
    properties.setProperty("password", database.password());
    properties.setProperty("ApplicationName", "tidemark-provision");
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("loginTimeout", "10");
    // A server that hangs takes the connection and never answers.
    properties.setProperty("socketTimeout", Long.toString(patience.toSeconds() + 30));
    properties.setProperty("tcpKeepAlive", "true");
    return DriverManager.getConnection(database.url(), properties);
  }

  private static void lock(Connection connection, Duration patience, Consumer<String> progress)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      // A run takes minutes, in which this transaction does nothing.
      statement.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
      try (ResultSet tried =
          statement.executeQuery("SELECT pg_try_advisory_xact_lock(" + KEY + ")")) {
        tried.next();
        if (tried.getBoolean(1)) {
          return;
        }
      }
      progress.accept(
          "Another run provisions this cluster; waiting for it, at most "
              + patience.toSeconds()
              + " s ...");
      statement.execute("SET LOCAL lock_timeout = " + patience.toMillis());
      statement.execute("SELECT pg_advisory_xact_lock(" + KEY + ")");
    }
  }

  /** Lets the next run begin. */
  @Override
  public void close() {
    closeQuietly(connection);
  }

  /** A connection that broke has released the lock already. */
  private static void closeQuietly(@Nullable Connection connection) {
    if (connection == null) {
      return;
    }
    try (connection) {
      connection.rollback();
    } catch (SQLException broken) {
      // The server ends the transaction of a connection that is gone.
    }
  }
}
